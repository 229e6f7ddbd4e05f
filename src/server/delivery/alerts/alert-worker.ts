import { setTimeout } from 'node:timers/promises';
import { retryWrite } from '../../jobs/retry-write.ts';
import type { Log } from '../../log/log.ts';
import type { Archive } from '../../store/contract/archive.ts';
import { type ClaimedSubmission, withSubmissions } from '../../store/contract/claimed-submissions.ts';
import type { JobClaim, Jobs } from '../../store/contract/jobs.ts';
import { alertKinds } from '../../store/contract/submission-jobs.ts';
import { shutdownGraceMs } from '../../time/run-every.ts';
import { backoffMs, longestBackoffMs } from '../queue/retry.ts';
import { createTokenBucket } from '../queue/token-bucket.ts';
import { describeAlert, type PostAlert } from './post-alert.ts';

export const alertDefaults = {
  /** Alerts that go out one by one. Beyond it, what is due goes out together: a program can mark all that it sends as urgent. */
  burst: 5,
  /** A minute later the next one. */
  everyMs: 60_000,
  /** Alerts that one POST can stand for. */
  most: 100,
  /** Another server may claim a dead server's alerts after this. Longer than a POST. */
  leaseMs: 60_000,
  /** How often the queue is polled for retries, for requests that nobody took, and for alerts of a server that died. */
  pollMs: 5_000,
  /** About a day. Later the alert would be about a request that staff have from their mail, and from reminders. */
  mostAttempts: 130,
  stopMs: shutdownGraceMs,
};

/** The alert of what came in longer ago would ring after a backup was restored, about what was answered long ago. */
const newForMs = 3 * 24 * 3_600_000;
const which = { kinds: alertKinds, longestMs: longestBackoffMs, only: 'untaken' } as const;
const isAgain = ({ kind }: JobClaim) => kind === 'alert again';

export type AlertQueue = Pick<Jobs, 'claimJobs' | 'completeJob' | 'postponeJob' | 'findFailing'> &
  Pick<Archive, 'findSubmissions'>;

interface AlertWorkerParts {
  queue: AlertQueue;
  post: PostAlert;
  now: () => Date;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  options?: Partial<typeof alertDefaults>;
}

/** Posts alerts about urgent requests to ALERT_URL, from `start` to `stop`. An alert ends when staff take the request. */
export function createAlertWorker({ queue, post, now, log, options }: AlertWorkerParts) {
  const { burst, everyMs, most, leaseMs, pollMs, mostAttempts, stopMs } = { ...alertDefaults, ...options };
  const bucket = createTokenBucket(burst, everyMs, now);
  let stopping = false;
  let storeBroken = false;
  let running = Promise.resolve();
  let woken = new AbortController();

  async function sendDue(): Promise<void> {
    const tokens = bucket.available();
    if (tokens <= 0) return;
    // By this machine's clock. The database has its own time for the end of the lease.
    const leaseEndsAt = now().getTime() + leaseMs;
    const due = await queue.claimJobs({ ...which, limit: most, leaseMs }, now());
    const claims = await dropOld(due);
    const posts =
      claims.length <= tokens
        ? claims.map((claim) => [claim])
        : Object.values(Object.groupBy(claims, ({ kind }) => kind));
    bucket.take(posts.length);
    await Promise.all(posts.map((together = []) => send(together, leaseEndsAt)));
  }

  /** By the clock of the database, because another server's may be days ahead. */
  async function dropOld(claims: readonly JobClaim[]): Promise<JobClaim[]> {
    const isOld = ({ submission, leasedUntil }: ClaimedSubmission) =>
      submission.receivedAt.getTime() < leasedUntil.getTime() - leaseMs - newForMs;
    const all = await withSubmissions(queue, claims);
    const old = all.filter((one) => !isAgain(one) && isOld(one));
    for (const one of old) await retryWrite(() => queue.completeJob(one));
    return all.filter((one) => !old.includes(one));
  }

  async function send(together: readonly JobClaim[], leaseEndsAt: number): Promise<void> {
    // This process may have been frozen since the claim.
    if (now().getTime() >= leaseEndsAt) return;
    const references = together.flatMap(({ reference }) => reference ?? []);
    const problem = await post(describeAlert(references, together.some(isAgain)));
    await Promise.all(
      together.map((claim) =>
        record(claim, problem).catch((err) =>
          log.error({ event: 'alert not recorded', reference: claim.reference, err }),
        ),
      ),
    );
  }

  async function record(claim: JobClaim, problem: string | null): Promise<void> {
    const about = { reference: claim.reference, attempts: claim.attempts };
    const isLast = claim.attempts >= mostAttempts;
    const next = new Date(now().getTime() + backoffMs(claim.attempts));
    const isLeased = await retryWrite(() =>
      problem === null || isLast
        ? queue.completeJob(claim)
        : queue.postponeJob(claim, { dueAt: next, error: problem }),
    );
    // Also where somebody took the request meanwhile, which ends its alert.
    if (!isLeased) return;
    if (problem === null) log.info({ event: 'alert sent', ...about });
    else if (isLast) log.error({ event: 'alert given up', ...about, reason: problem });
    else log.warn({ event: 'alert postponed', ...about, reason: problem });
  }

  async function run(): Promise<void> {
    while (!stopping) {
      // Made before the claim, so that a request that comes in during the claim wakes the worker.
      woken = new AbortController();
      await sendDue().then(noteStoreWorks, noteStoreFailed);
      await setTimeout(pollMs, undefined, { ref: false, signal: woken.signal }).catch(() => {});
    }
  }

  function noteStoreWorks(): void {
    if (storeBroken) log.info({ event: 'alerts read again' });
    storeBroken = false;
  }

  /** Logged once, and not at every poll. */
  function noteStoreFailed(err: unknown): void {
    if (!storeBroken) log.error({ event: 'alerts not read', err });
    storeBroken = true;
  }

  return {
    /** For /health/deliveries: a warning and no problem, because staff have the mail. */
    async findWarning(): Promise<string | null> {
      const { failing, lastError } = await queue.findFailing(alertKinds);
      if (failing === 0) return null;
      const alerts = failing === 1 ? '1 alert' : `${failing} alerts`;
      return `${alerts} about urgent requests did not get through to ALERT_URL yet (${lastError}): awhina test-alert says what to do`;
    },
    start() {
      running = run();
    },
    /** An urgent request was stored. */
    wake: () => woken.abort(),
    /** Sends what is due and the rate allows. */
    sendDue,
    /** Claims nothing more, and waits up to `stopMs` for the alerts that are being sent. */
    async stop() {
      stopping = true;
      woken.abort();
      await Promise.race([running, setTimeout(stopMs, undefined, { ref: false })]);
    },
  };
}
