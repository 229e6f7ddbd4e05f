import { setTimeout } from 'node:timers/promises';
import { retryWrite } from '../../jobs/retry-write.ts';
import type { Log } from '../../log/log.ts';
import type { LogEvent, MailEvent } from '../../log/log-events.ts';
import type { ClaimedSubmission } from '../../store/contract/claimed-submissions.ts';
import type { DeliveryQueue } from '../../store/contract/delivery-queue.ts';
import {
  claimMail,
  type MailStore,
  mailKinds,
  parkMail,
  postponeMail,
} from '../../store/contract/mail-jobs.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { shutdownGraceMs } from '../../time/run-every.ts';
import type { SendOutcome } from '../mail-transport.ts';
import { backoffMs } from './retry.ts';
import type { ThreadMails } from './thread-mails.ts';
import { createTokenBucket } from './token-bucket.ts';

export const workerDefaults = {
  /** Mails sent at a time. One slot is always reserved for a request that was never tried. */
  concurrency: 4,
  /** Another server may claim a dead worker's mails after this. Longer than the longest send. */
  leaseMs: 60_000,
  /** One mail every two seconds in the long run: what the strictest of the large mailbox providers accept. */
  everyMs: 2_000,
  /** How often the queue is polled for retries and for mails of a server that died. A new request wakes the worker. */
  pollMs: 5_000,
  stopMs: shutdownGraceMs,
};

export interface DeliveryWorkerParts {
  queue: MailStore & Pick<DeliveryQueue, 'finishDelivery'>;
  send: (submission: StoredSubmission) => Promise<SendOutcome>;
  onDelivered?: ((submission: StoredSubmission, at: Date) => void) | undefined;
  threadMails?: Pick<ThreadMails, 'takeDue'> | undefined;
  now: () => Date;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  options?: Partial<typeof workerDefaults>;
}

/** After so many new requests in a row, one retry is claimed. */
const mostNewInARow = 4;

/** Sends what is due, from `start` to `stop`. */
export function createDeliveryWorker(parts: DeliveryWorkerParts) {
  const { queue, send, onDelivered, threadMails, now, log, options } = parts;
  const { concurrency, leaseMs, everyMs, pollMs, stopMs } = { ...workerDefaults, ...options };
  const bucket = createTokenBucket(concurrency, everyMs, now);
  /** Mails that are being sent, each with whether it is a retry. */
  const sending = new Map<Promise<void>, boolean>();
  let isSendingThreadMail = false;
  let stopping = false;
  let storeBroken = false;
  let running = Promise.resolve();
  let woken = new AbortController();

  /** New requests claimed since the last retry. */
  let newInARow = 0;

  /**
   * Fills the free slots, new requests first: a hundred bad mails never delay a good one. Every fifth claim may be a
   * retry: a flood of new requests never delays a person's mail that failed once.
   */
  async function claimDue(): Promise<number> {
    const freeSlots = Math.min(concurrency - sending.size, bucket.available());
    if (freeSlots <= 0) return 0;
    // By this machine's clock. The database has its own time for the end of the lease.
    const leaseEndsAt = now().getTime() + leaseMs;
    const claim = async (which: 'new' | 'retry', most: number) => {
      const retrying = [...sending.values()].filter(Boolean).length;
      const limit = which === 'new' ? most : Math.min(most, Math.max(1, concurrency - 1) - retrying);
      if (limit <= 0) return 0;
      const claims = await claimMail(queue, now(), limit, leaseMs, which);
      for (const one of claims) startSending(one, leaseEndsAt, which === 'retry');
      if (which === 'retry') newInARow = 0;
      else newInARow += claims.length;
      return claims.length;
    };
    const retriedFirst = newInARow >= mostNewInARow ? await claim('retry', 1) : 0;
    const claimedNew = await claim('new', freeSlots - retriedFirst);
    // One token is reserved for a new request, or retries would use up the rate.
    const tokens = Math.max(concurrency === 1 ? 1 : 0, bucket.available() - 1);
    return (
      retriedFirst +
      claimedNew +
      (await claim('retry', Math.min(freeSlots - retriedFirst - claimedNew, tokens)))
    );
  }

  function startSending(claim: ClaimedSubmission, leaseEndsAt: number, isRetry: boolean): void {
    bucket.take(1);
    const work = deliver(claim, leaseEndsAt)
      .catch((err) =>
        log.error({ event: 'delivery not recorded', reference: claim.submission.reference, err }),
      )
      .finally(() => sending.delete(work));
    sending.set(work, isRetry);
  }

  /** Called where no request is due. One at a time, as a retry; the last slot and token are for a new request. */
  function startThreadMail(): boolean {
    const most = Math.max(1, concurrency - 1);
    if (isSendingThreadMail || sending.size >= most || bucket.available() <= concurrency - most) return false;
    const sendMail = threadMails?.takeDue();
    if (!sendMail) return false;
    bucket.take(1);
    isSendingThreadMail = true;
    const work = sendMail().finally(() => {
      isSendingThreadMail = false;
      sending.delete(work);
    });
    sending.set(work, true);
    return true;
  }

  async function deliver(claim: ClaimedSubmission, leaseEndsAt: number): Promise<void> {
    const { reference, form, delivery, canary } = claim.submission;
    const about = { reference, form, attempts: delivery.attempts };
    const eventName = (event: MailEvent): LogEvent => (canary ? `canary: ${event}` : event);
    const started = now().getTime();
    // This process may have been frozen since the claim.
    if (started >= leaseEndsAt) return void log.warn({ event: 'lease lost', ...about });

    // It needs no mail any more.
    if (claim.kind === mailKinds.refused && claim.submission.followUp.answeredAt)
      return void (await parkMail(queue, claim, now(), claim.lastError ?? ''));

    const outcome = await send(claim.submission).catch((err): SendOutcome => {
      log.error({ event: 'mail not written', ...about, err });
      return { ok: false, permanent: false, reason: `${(err as Error).name} at writing` };
    });
    const at = now();
    const ms = at.getTime() - started;
    if (outcome.ok) {
      if (outcome.refused?.length)
        log.error({
          event: 'mail refused for some addresses',
          ...about,
          count: outcome.refused.length,
        });
      const isLeased = await retryWrite(() => queue.finishDelivery(claim, at));
      if (!isLeased) return void log.warn({ event: 'lease lost', ...about, ms });
      log.info({ event: eventName('mail accepted'), ...about, ms });
      onDelivered?.(claim.submission, at);
      return;
    }
    const { permanent, reason } = outcome;
    const next = new Date(at.getTime() + backoffMs(delivery.attempts));
    const isLeased = await retryWrite(() =>
      permanent ? parkMail(queue, claim, at, reason) : postponeMail(queue, claim, next, reason),
    );
    if (!isLeased) log.warn({ event: 'lease lost', ...about, ms });
    else if (permanent) log.error({ event: eventName('delivery parked'), ...about, reason, ms });
    else log.warn({ event: eventName('delivery postponed'), ...about, reason, ms });
  }

  async function run(untilIdle: boolean): Promise<void> {
    while (!stopping) {
      // Created before the claim, so that a request that comes in during the claim wakes the worker.
      woken = new AbortController();
      const { signal } = woken;
      if ((await claimSafely()) > 0 || startThreadMail()) continue;
      if (untilIdle && sending.size === 0) return;
      const waitMs = Math.min(pollMs, bucket.waitMs() || pollMs);
      await Promise.race([...sending.keys(), pause(waitMs, signal)]);
    }
  }

  /** Logs that the database is away once, and not at every poll. */
  async function claimSafely(): Promise<number> {
    try {
      const claimed = await claimDue();
      if (storeBroken) log.info({ event: 'deliveries read again' });
      storeBroken = false;
      return claimed;
    } catch (err) {
      if (!storeBroken) log.error({ event: 'deliveries not read', err });
      storeBroken = true;
      return 0;
    }
  }

  /** A new request is in the queue, or a mail in memory. Ignored while no mail could be sent: in a rush each submission would pay for a wasted claim. */
  function wake(): void {
    if (sending.size < concurrency && bucket.available() > 0) woken.abort();
  }

  return {
    start() {
      running = run(false);
    },
    wake,
    /** Sends what is due and the rate allows, and resolves when no such mail waits. */
    sendDue: () => run(true),
    /** Claims nothing more, and waits up to `stopMs` for mails that are being sent. */
    async stop() {
      stopping = true;
      woken.abort();
      // A claim that is under way may still bring mails to send.
      await Promise.race([running.then(() => Promise.all(sending.keys())), pause(stopMs)]);
    },
  };
}

/** Ends early at the signal. The timer never keeps the process alive. */
const pause = (ms: number, signal?: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { ref: false, ...(signal ? { signal } : {}) }).catch(() => {});
