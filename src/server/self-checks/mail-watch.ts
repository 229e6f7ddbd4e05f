import { formNames } from '../../model/form-field.ts';
import { serverForms } from '../../model/server-forms.ts';
import type { MailAddresses } from '../delivery/mail.ts';
import type { MailProbe, MailTransport } from '../delivery/mail-transport.ts';
import type { Alert } from '../delivery/notices/staff-alert.ts';
import { explainProblem } from '../delivery/smtp/explain-problem.ts';
import { isTransient } from '../delivery/smtp/smtp-error.ts';
import { retryWrite } from '../jobs/retry-write.ts';
import type { Log } from '../log/log.ts';
import { closeGate, type Gates, passGate } from '../store/contract/jobs.ts';
import { formatNzTime } from '../time/nz-time.ts';
import type { Timer } from '../time/run-every.ts';
import { certificateWarning, type MailCertificate } from './certificate.ts';

/** Milliseconds. */
export const watchTimes = {
  /** Before the first probe: a server that restarts in a loop must not sign in every other second, or it is locked out. */
  firstMs: 60_000,
  everyMs: 60 * 60_000,
  /** While a probe fails: soon enough to see a fix, and seldom enough that a wrong password is no attack. */
  retryMs: 10 * 60_000,
  /** A failure that is over is still reported where it lasted this long: a request may have waited for an hour. */
  worthReportingMs: 60 * 60_000,
};
const pollMs = 30_000;
const dayMs = 24 * 60 * 60_000;
/** Longer than it takes to send an alert, or to give up. */
const leaseMs = 120_000;

export interface MailWatchParts {
  /** Without `probe` there is nothing to watch. */
  transport: Pick<MailTransport, 'probe'>;
  addresses: MailAddresses;
  escalateTo: readonly string[];
  gates: Gates;
  alertStaff: (alert: Alert, problem: string) => Promise<boolean>;
  now: () => Date;
  monotonic?: () => number;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
}

/** Probes every hour whether the mail server would accept a mail to staff, and alerts staff where it would not. */
export function createMailWatch(parts: MailWatchParts) {
  const { transport, addresses, escalateTo, gates, alertStaff, now, log } = parts;
  const { monotonic = () => performance.now() } = parts;
  const mailboxes = nameMailboxes(addresses, escalateTo);
  let probeAt = monotonic() + watchTimes.firstMs;
  /** Whether the last probe failed. The first transient failure is no problem yet. */
  let lastFailed = false;
  let failure: { problem: string; since: Date; sinceMs: number; reported: boolean } | null = null;
  let acceptedAt: Date | null = null;
  /** Whether the last probe found a recipient that the mail server accepts. */
  let reachesSomebody = true;
  let lastCertificate: MailCertificate | null = null;
  let stopped = false;

  /** One of all servers alerts staff; where its alert could not be sent, another one does. True where staff have the alert. */
  async function alertOnce(alert: Alert, problem: string): Promise<boolean> {
    // Without a database each server alerts by itself.
    const gate = { name: `${alert} alarm`, everyMs: dayMs, leaseMs };
    const passed = await passGate(gates, gate, now()).catch(() => 'away' as const);
    if (!passed || stopped) return !passed;
    const sent = await alertStaff(alert, problem);
    if (sent && passed !== 'away')
      await retryWrite(() => closeGate(gates, passed, gate, now())).catch(() => {});
    return sent;
  }

  function recordFailure(found: MailProbe): void {
    const failures = found.steps.filter(({ ok }) => !ok).map(({ detail }) => detail);
    const worst = failures.find((reason) => !isTransient(reason)) ?? failures[0] ?? found.problem ?? '';
    // A transient failure is often gone at the next probe; greylisting always is.
    if (isTransient(worst) && !lastFailed) {
      log.warn({ event: 'mail server in doubt', reason: worst });
      return;
    }
    const problem = describeFailure(found, worst, mailboxes);
    if (failure?.problem !== problem) log.error({ event: 'mail server refuses mail', reason: worst });
    failure = { since: now(), sinceMs: monotonic(), reported: false, ...failure, problem };
  }

  async function reportRecovery(): Promise<void> {
    if (!failure) return;
    const { since, sinceMs, reported, problem } = failure;
    failure = null;
    log.info({ event: 'mail server accepts mail again' });
    if (reported || monotonic() - sinceMs < watchTimes.worthReportingMs) return;
    await alertOnce('mailAgain', `from ${formatNzTime(since)} to ${formatNzTime(now())}, ${problem}`);
  }

  async function probe(): Promise<void> {
    const found = await transport.probe?.(mailboxes.map(({ address }) => address));
    if (!found || stopped) return;
    const { certificateUntil: until, certificateFrom: from = null } = found;
    if (until) lastCertificate = { until, from };
    if (found.problem === null) {
      acceptedAt = now();
      await reportRecovery();
    } else recordFailure(found);
    lastFailed = found.problem !== null;
    probeAt = monotonic() + (lastFailed ? watchTimes.retryMs : watchTimes.everyMs);

    // Where no recipient is accepted no alert can be sent: each attempt would be one more wrong password.
    reachesSomebody = found.steps.some(({ step, ok }) => step === 'recipient' && ok);
    if (failure && reachesSomebody) {
      if (await alertOnce('mail', failure.problem)) failure.reported = true;
    }
    const warning = certificateWarning(lastCertificate, now());
    if (warning && !lastFailed) await alertOnce('certificate', warning);
  }

  const probeWhenDue = async () => {
    if (!stopped && monotonic() >= probeAt) await probe();
  };
  const timer: Timer = { everyMs: pollMs, run: probeWhenDue, failed: 'mail server check failed' };
  return {
    timers: transport.probe && mailboxes.length > 0 ? [timer] : [],
    /** Waits for nothing: a probe that is cut off does no harm. */
    stop() {
      stopped = true;
    },
    probe,
    /** Once a day from all servers together, and never where the mail server accepts no recipient. */
    alertOnce: async (alert: Alert, problem: string): Promise<boolean> =>
      reachesSomebody && alertOnce(alert, problem),
    problem: (): string | null => failure?.problem ?? null,
    warning: (): string | null => certificateWarning(lastCertificate, now()),
    certificate: (): MailCertificate | null => lastCertificate,
    /** When every recipient was accepted the last time. */
    acceptedAt: (): Date | null => acceptedAt,
  };
}

interface Mailbox {
  address: string;
  /** The settings with this address. */
  settings: string[];
}

function nameMailboxes({ to }: MailAddresses, escalateTo: readonly string[]): Mailbox[] {
  const named: [string, readonly string[]][] = [
    ...formNames.map((form): [string, readonly string[]] => [serverForms[form].mailTo, to[form]]),
    ['MAIL_TO_ESCALATE', escalateTo],
  ];
  const all = [...new Set(named.flatMap(([, addresses]) => addresses))];
  return all.map((address) => ({
    address,
    settings: named.filter(([, addresses]) => addresses.includes(address)).map(([setting]) => setting),
  }));
}

/** In words that anyone may read: the name of a setting and a code, never an address. */
function describeFailure({ steps }: MailProbe, reason: string, mailboxes: readonly Mailbox[]): string {
  const refused = steps
    .filter(({ step }) => step === 'recipient')
    .flatMap(({ detail }, n) => (detail === reason ? (mailboxes[n]?.settings ?? []) : []));
  const where = [...new Set(refused)].join(' and ') || 'MAIL_TO_…';
  return `${explainProblem(reason).replace('MAIL_TO_…', where)} (${reason})`;
}
