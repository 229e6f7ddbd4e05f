import { onTestFinished } from 'vitest';
import { createTellOthers } from '../../src/server/delivery/notices/tell-others.ts';
import { createUnseenJobs, type UnseenJobParts } from '../../src/server/delivery/reminders/unseen-job.ts';
import { type CheckClock, createClockCheck } from '../../src/server/time/clock-trust.ts';
import { nzMoment } from '../../src/server/time/nz-time.ts';
import { smtpTo } from './delivery.ts';
import type { StoreKind } from './each-store.ts';
import { shippedContent } from './forms.ts';
import { collectLog } from './log.ts';
import { serverWith } from './recurring.ts';
import { startScriptedSmtp } from './scripted-smtp.ts';
import { type SubmissionChanges, storeSubmission } from './stored-submissions.ts';

export const addresses = {
  from: 'website@trust.example',
  to: { help: ['help@trust.example'], contact: ['office@trust.example'] },
};
export const manager = ['manager@elsewhere.example'];
export const at = (time: string) => nzMoment(...(time.split(' ') as [string, string]));

/** On Monday 2 November 2026 at 9, after the first round, which a new site skips. `remindAfter` is one working day, and three. */
export async function prepareUnseenJob(
  kind: StoreKind,
  changes: Partial<UnseenJobParts> = {},
  hasMailServer = true,
) {
  const opened = await kind.open();
  onTestFinished(() => opened.close());
  const { store } = opened;
  const smtp = await startScriptedSmtp();
  onTestFinished(() => smtp.close());
  let current = at('2026-11-02 09:00');
  const now = () => current;
  const { log, lines } = collectLog();
  const alerts: string[] = [];
  /** What the receiver of alerts answers; null: it takes them. */
  const receiver = { problem: null as string | null };
  const post = async ({ text }: { text: string }) => {
    if (receiver.problem === null) alerts.push(text);
    return receiver.problem;
  };
  const othersLink = (reference: string) => `https://www.kowhai.example/staff/${reference}/key`;
  const parts = {
    ...{ store, addresses, log, now, site: () => shippedContent.site, othersLink, escalateTo: manager },
    ...{ at: '08:30', content: { current: () => ({ remindAfter: { help: 1, contact: 3 } }) } },
    ...{ unseenRetentionDays: 90, withAlerts: true, transport: smtpTo(smtp.port), ...changes },
  };
  const telling = createTellOthers({
    ...parts,
    hasMailServer,
    post: parts.withAlerts ? post : undefined,
  });
  // By a clock that goes as the other does: nobody has set either.
  const right = createClockCheck(now, () => current.getTime());
  const server = (more: Partial<UnseenJobParts & { checkClock: CheckClock }> = {}) => {
    const jobs = createUnseenJobs({ ...parts, ...telling, ...more });
    return serverWith({
      store,
      jobs,
      now,
      log,
      ...right,
      ...(more.checkClock && { checkClock: more.checkClock }),
    });
  };
  await server()();
  /** Goes to this time and has a server look, or several. */
  const lookAt = async (time: string, servers = [server()]) => {
    current = at(time);
    await telling.retryAlerts();
    await Promise.all(servers.map((look) => look()));
    return smtp.accepted.splice(0);
  };
  const receive = (changes: Partial<SubmissionChanges> = {}) =>
    storeSubmission(store, { receivedAt: current, ...changes });
  return { store, smtp, lines, alerts, receiver, server, lookAt, receive, now };
}
