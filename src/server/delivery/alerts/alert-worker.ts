import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { retryWrite } from '../../jobs/retry-write.ts';
import type { ClaimedAlert, FollowUps } from '../../store/contract/follow-ups.ts';
import { shutdownGraceMs } from '../../time/run-every.ts';
import { backoffMs } from '../queue/retry.ts';
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

export type AlertQueue = Pick<FollowUps, 'claimAlerts' | 'finishAlert' | 'postponeAlert' | 'summariseAlerts'>;

interface AlertWorkerParts {
  queue: AlertQueue;
  post: PostAlert;
  now: () => Date;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  options?: Partial<typeof alertDefaults>;
}

/** Posts alerts about urgent requests to ALERT_URL, from `start` to `stop`. The store ends an alert when staff take the request. */
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
    const claims = await queue.claimAlerts(now(), most, leaseMs);
    const posts =
      claims.length <= tokens
        ? claims.map((claim) => [claim])
        : Object.values(Object.groupBy(claims, ({ escalated }) => String(escalated)));
    bucket.take(posts.length);
    await Promise.all(posts.map((together = []) => send(together, leaseEndsAt)));
  }

  async function send(together: readonly ClaimedAlert[], leaseEndsAt: number): Promise<void> {
    // This process may have been frozen since the claim.
    if (now().getTime() >= leaseEndsAt) return;
    const references = together.map(({ reference }) => reference);
    const problem = await post(
      describeAlert(
        references,
        together.some(({ escalated }) => escalated),
      ),
    );
    await Promise.all(
      together.map((claim) =>
        record(claim, problem).catch((err) =>
          log.error({ event: 'alert not recorded', reference: claim.reference, err }),
        ),
      ),
    );
  }

  async function record(claim: ClaimedAlert, problem: string | null): Promise<void> {
    const about = { reference: claim.reference, attempts: claim.attempts };
    const isLast = claim.attempts >= mostAttempts;
    const next = new Date(now().getTime() + backoffMs(claim.attempts));
    const isLeased = await retryWrite(() =>
      problem === null || isLast ? queue.finishAlert(claim) : queue.postponeAlert(claim, next, problem),
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
    if (storeBroken) log.info({ event: 'alerts go on' });
    storeBroken = false;
  }

  /** Logged once, and not at every poll. */
  function noteStoreFailed(err: unknown): void {
    if (!storeBroken) log.error({ event: 'alerts cannot be read', err });
    storeBroken = true;
  }

  return {
    /** For /health/deliveries: a warning and no problem, because staff have the mail. */
    async findWarning(): Promise<string | null> {
      const { failing, lastError } = await queue.summariseAlerts();
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
