import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { addresses, createClock } from '../../../../test/support/stored-submissions.ts';
import { StoreUnavailable } from '../../store/contract/errors.ts';
import { createTimers } from '../../time/run-every.ts';
import type { Letter } from '../letter/letter.ts';
import { createReminders } from '../reminders/reminders.ts';
import { createTellOthers } from './tell-others.ts';

const letter: Letter = { title: 'HK7W-3RQX waits' };
const mailbox = { forms: [], to: ['help@trust.example'] };

/** The receiver of alerts has a problem, until a test ends it. */
function prepare() {
  const alerts: string[] = [];
  const receiver = { problem: 'HTTP 500' as string | null };
  const telling = createTellOthers({
    transport: { description: '', send: async () => ({ ok: true }) },
    ...{ site: () => shippedContent.site, addresses, log: collectLog().log, now: createClock().now },
    ...{ hasMailServer: true, escalateTo: ['manager@elsewhere.example'] },
    async post({ text }) {
      if (receiver.problem === null) alerts.push(text);
      return receiver.problem;
    },
  });
  return { ...telling, alerts, receiver };
}

test('an alert of which the database cannot say whether it is still true does not hold up the next one', async () => {
  const { tellOthers, retryAlerts, alerts, receiver } = prepare();
  let isAway = true;
  const describeAgain = async () => {
    if (isAway) throw new StoreUnavailable('away');
    return 'Nobody has seen 1 request';
  };
  await tellOthers(mailbox, {
    name: 'unseen',
    letter,
    sentence: 'Nobody has seen 2 requests',
    describeAgain,
  });
  await tellOthers(mailbox, { name: 'refused', letter, sentence: 'The mail server refuses' });
  receiver.problem = null;
  await retryAlerts();
  expect(alerts).toEqual(['The mail server refuses']);
  isAway = false;
  await retryAlerts();
  expect(alerts).toEqual(['The mail server refuses', 'Nobody has seen 1 request']);
});

test('with REMINDERS=off an alert that failed is tried again too', async () => {
  const { tellOthers, retryAlerts, alerts, receiver } = prepare();
  expect(await tellOthers(mailbox, { name: 'unread', letter, sentence: 'Nobody reads it' })).toBe(true);
  receiver.problem = null;
  const settings = { reminders: null, remindAt: '08:30', retentionDays: 30, unseenRetentionDays: null };
  const { log } = collectLog();
  const { timers } = createReminders({ settings, tellOthers, retryAlerts, withAlerts: true, log } as never);
  const running = createTimers(timers, log);
  running.start();
  onTestFinished(() => running.stop());
  await setImmediate();
  expect(alerts).toEqual(['Nobody reads it']);
});
