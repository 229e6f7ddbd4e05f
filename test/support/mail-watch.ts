import PostalMime from 'postal-mime';
import { onTestFinished } from 'vitest';
import { createStaffAlert } from '../../src/server/delivery/notices/staff-alert.ts';
import type { SmtpOptions } from '../../src/server/delivery/smtp/smtp-session.ts';
import { createMailWatch } from '../../src/server/self-checks/mail-watch.ts';
import type { Gates, JobClaim } from '../../src/server/store/contract/jobs.ts';
import { smtpTo } from './delivery.ts';
import { shippedContent } from './forms.ts';
import { collectLog } from './log.ts';
import { startScriptedSmtp } from './scripted-smtp.ts';
import { addresses, createClock } from './stored-submissions.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const escalateTo = ['manager@elsewhere.example'];
export const everybody = ['help@trust.example', 'contact@trust.example', ...escalateTo];

const passed: JobClaim = {
  ...{
    kind: 'gate',
    key: 'gate',
    dueAt: new Date(0),
    ...{ rank: 0, reference: null, attempts: 1, done: 0 },
    lastError: null,
    leasedUntil: new Date(0),
  },
};
/** Every gate is open. */
export const singleServer: Gates = {
  addJob: async () => {},
  claimJobs: async () => [passed],
  postponeJob: async () => true,
};

export async function prepareMailWatch(options: Parameters<typeof startScriptedSmtp>[0] = {}) {
  const smtp = await startScriptedSmtp(options);
  onTestFinished(() => smtp.close());
  const clock = createClock();
  const { log, lines } = collectLog();
  const serve = (more: Partial<SmtpOptions> = {}, gates = singleServer) => {
    const transport = smtpTo(smtp.port, { url: `smtp://user:pass-word@127.0.0.1:${smtp.port}`, ...more });
    const monotonic = () => clock.now().getTime();
    const common = { transport, addresses, escalateTo, now: clock.now, monotonic, log };
    const alertStaff = createStaffAlert({ ...common, site: () => shippedContent.site });
    return createMailWatch({ ...common, gates, alertStaff });
  };
  const told = async () => {
    const mails = await Promise.all(smtp.accepted.map(({ raw }) => PostalMime.parse(raw)));
    return mails.map(({ subject, to, text }) => ({ subject, to: to?.[0]?.address, text }));
  };
  const events = () => lines.map((line) => JSON.parse(line).event);
  return { smtp, clock, serve, told, lines, events };
}
