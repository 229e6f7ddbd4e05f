import type { Logger } from 'pino';
import type { MailAddresses } from '../delivery/letter/submission-mail.ts';
import type { MailProbe, MailTransport } from '../delivery/mail-transport.ts';
import type { Alert } from '../delivery/notices/staff-alert.ts';
import { explainProblem } from '../delivery/smtp/explain-problem.ts';
import { isTransient } from '../delivery/smtp/smtp-error.ts';
import type { Turns } from '../store/contract/leases.ts';
import { sayNzTime } from '../time/nz-time.ts';
import { runEvery } from '../time/run-every.ts';
import { certificateWarning } from './certificate.ts';

/** Milliseconds. */
export const watchTimes = {
  /** A server that is started over and over must not sign in every other second: mail servers shut such a one out. */
  firstMs: 60_000,
  everyMs: 60 * 60_000,
  /** While something is wrong: what was mended is soon green again, and a wrong password is no attack yet. */
  againMs: 10 * 60_000,
  /** Staff hear of what is over where it lasted as long as a request may wait. */
  worthTellingMs: 60 * 60_000,
};
const tickMs = 30_000;
const dayMs = 24 * 60 * 60_000;
/** Longer than an alarm takes to be sent or given up. */
const leaseMs = 120_000;

export interface MailWatchParts {
  /** Where it cannot be looked at there is nothing to watch. */
  transport: Pick<MailTransport, 'probe'>;
  addresses: MailAddresses;
  escalateTo: readonly string[];
  turns: Turns;
  alertStaff: (alarm: Alert, problem: string) => Promise<boolean>;
  now: () => Date;
  monotonic?: () => number;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Looks every hour whether the mail server would take a mail to staff, and says so where it would not. */
export function createMailWatch(parts: MailWatchParts) {
  const { transport, addresses, escalateTo, turns, alertStaff, now, log } = parts;
  const { monotonic = () => performance.now() } = parts;
  const mailboxes = nameMailboxes(addresses, escalateTo);
  let lookAt = monotonic() + watchTimes.firstMs;
  /** The last look failed, whether or not that is worth a word yet. */
  let inDoubt = false;
  let trouble: { problem: string; since: Date; sinceMs: number; told: boolean } | null = null;
  let wellAt: Date | null = null;
  /** As far as the last look has shown. */
  let reachesSomebody = true;
  let lastCertificate: { until: Date; from: Date | null } | null = null;
  let stop = () => {};
  let stopped = false;

  /** One of all servers tells staff, and another one where it could not. True where they know. */
  async function tell(alarm: Alert, problem: string): Promise<boolean> {
    // A database that cannot be asked keeps nobody from being told.
    const isOurs = await turns.claimTurn(`${alarm} alarm`, now(), dayMs, leaseMs).catch(() => true);
    if (!isOurs || stopped) return !isOurs;
    const told = await alertStaff(alarm, problem);
    if (told) await turns.finishTurn(`${alarm} alarm`, now()).catch(() => {});
    return told;
  }

  function takeDown(found: MailProbe): void {
    const failures = found.steps.filter(({ ok }) => !ok).map(({ detail }) => detail);
    const worst = failures.find((reason) => !isTransient(reason)) ?? failures[0] ?? found.problem ?? '';
    // What passes by itself most often is gone at the next look; greylisting is made to be.
    if (isTransient(worst) && !inDoubt) {
      log.warn({ event: 'mail server in doubt', reason: worst });
      return;
    }
    const problem = describe(found, worst, mailboxes);
    if (trouble?.problem !== problem) log.error({ event: 'mail server takes no mail', reason: worst });
    trouble = { since: now(), sinceMs: monotonic(), told: false, ...trouble, problem };
  }

  async function tellOfTheEnd(): Promise<void> {
    if (!trouble) return;
    const { since, sinceMs, told, problem } = trouble;
    trouble = null;
    log.info({ event: 'mail server takes mail again' });
    if (told || monotonic() - sinceMs < watchTimes.worthTellingMs) return;
    await tell('mailAgain', `from ${sayNzTime(since)} to ${sayNzTime(now())}, ${problem}`);
  }

  async function probe(): Promise<void> {
    const found = await transport.probe?.(mailboxes.map(({ address }) => address));
    if (!found || stopped) return;
    const { certificateUntil: until, certificateFrom: from = null } = found;
    if (until) lastCertificate = { until, from };
    if (found.problem === null) {
      wellAt = now();
      await tellOfTheEnd();
    } else takeDown(found);
    inDoubt = found.problem !== null;
    lookAt = monotonic() + (inDoubt ? watchTimes.againMs : watchTimes.everyMs);

    // Where it takes a mail to nobody, nobody can be told by mail; each try would be one more wrong password.
    reachesSomebody = found.steps.some(({ step, ok }) => step === 'recipient' && ok);
    if (trouble && reachesSomebody) {
      if (await tell('mail', trouble.problem)) trouble.told = true;
    }
    const warning = certificateWarning(lastCertificate, now());
    if (warning && !inDoubt) await tell('certificate', warning);
  }

  return {
    start() {
      if (!transport.probe || mailboxes.length === 0) return;
      const lookWhenDue = async () => {
        if (monotonic() >= lookAt) await probe();
      };
      stop = runEvery(tickMs, lookWhenDue, (err) => log.error({ event: 'mail server not looked at', err }));
    },
    /** Waits for nothing: a look that is broken off does no harm. */
    stop() {
      stopped = true;
      void stop();
    },
    probe,
    /** Once a day, of all servers. Where nobody can be reached by mail nobody is told. */
    tell: async (alarm: Alert, problem: string): Promise<boolean> => reachesSomebody && tell(alarm, problem),
    problem: (): string | null => trouble?.problem ?? null,
    warning: (): string | null => certificateWarning(lastCertificate, now()),
    certificateUntil: (): Date | null => lastCertificate?.until ?? null,
    /** When it last would have taken a mail to everybody. */
    acceptedAt: (): Date | null => wellAt,
  };
}

interface Mailbox {
  address: string;
  /** The settings that name it. */
  settings: string[];
}

function nameMailboxes({ to }: MailAddresses, escalateTo: readonly string[]): Mailbox[] {
  const named: [string, readonly string[]][] = [
    ['MAIL_TO_HELP', to.help],
    ['MAIL_TO_CONTACT', to.contact],
    ['MAIL_TO_ESCALATE', escalateTo],
  ];
  const all = [...new Set(named.flatMap(([, addresses]) => addresses))];
  return all.map((address) => ({
    address,
    settings: named.filter(([, addresses]) => addresses.includes(address)).map(([setting]) => setting),
  }));
}

/** In words that anyone may read: a setting's name and a code, and no address. */
function describe({ steps }: MailProbe, reason: string, mailboxes: readonly Mailbox[]): string {
  const refused = steps
    .filter(({ step }) => step === 'recipient')
    .flatMap(({ detail }, n) => (detail === reason ? (mailboxes[n]?.settings ?? []) : []));
  const where = [...new Set(refused)].join(' and ') || 'MAIL_TO_…';
  return `${explainProblem(reason).replace('MAIL_TO_…', where)} (${reason})`;
}
