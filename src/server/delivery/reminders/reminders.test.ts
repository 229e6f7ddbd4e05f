import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { addresses, createClock } from '../../../../test/support/stored-submissions.ts';
import { createTimers } from '../../time/run-every.ts';
import { createTellOthers } from '../notices/tell-others.ts';
import { findMailboxes } from './mailboxes.ts';
import { createReminders } from './reminders.ts';

test('with REMINDERS=off an alert that failed is tried again too', async () => {
  const { log } = collectLog();
  const { now } = createClock();
  const alerts: string[] = [];
  let problem: string | null = 'HTTP 500';
  const telling = createTellOthers({
    transport: { description: '', send: async () => ({ ok: true }) },
    ...{ site: () => shippedContent.site, addresses, now, log, hasMailServer: true },
    escalateTo: ['manager@elsewhere.example'],
    async post({ text }) {
      if (problem === null) alerts.push(text);
      return problem;
    },
  });
  const [mailbox = { forms: [], to: [] }] = findMailboxes(addresses);
  const letter = { title: '' };
  expect(await telling.tellOthers(mailbox, { name: 'unread', letter, sentence: 'Nobody reads it' })).toBe(
    true,
  );
  problem = null;
  const settings = { reminders: null, remindAt: '08:30', retentionDays: 30, unseenRetentionDays: null };
  const reminders = createReminders({ settings, ...telling, withAlerts: true } as never);
  const timers = createTimers(reminders.timers, log);
  timers.start();
  onTestFinished(() => timers.stop());
  await setImmediate();
  expect(alerts).toEqual(['Nobody reads it']);
});
