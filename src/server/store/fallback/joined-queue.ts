import type { FormName } from '../../../model/form-field.ts';
import type { Archive } from '../contract/archive.ts';
import type { ClaimedDelivery, DeliveryQueue, Undelivered } from '../contract/delivery-queue.ts';
import { ignoreUnavailable, StoreUnavailable } from '../contract/errors.ts';
import type { SharedDatabase } from './shared-database.ts';

/** A request that may be in both databases waits this long: by then a transfer has decided which database mails it. */
const postponeMs = 2_000;

interface QueueParts {
  shared: SharedDatabase;
  fallback: DeliveryQueue & Pick<Archive, 'findSubmission'>;
  isFallbackInUse: () => boolean;
  /** Whether the shared database may have this submission of the fallback too, because its reply to the write was lost. */
  mayBeInBoth: (reference: string) => boolean;
}

/** Mail goes out from both databases: a request in the fallback does not wait until the shared database is back. */
export function joinQueues({ shared, fallback, isFallbackInUse, mayBeInBoth }: QueueParts): DeliveryQueue {
  /** A claim is settled in the queue in which it was made. */
  const fallbackClaims = new WeakSet<ClaimedDelivery>();
  const settleClaim = <T>(claim: ClaimedDelivery, settle: (queue: DeliveryQueue) => Promise<T>) =>
    fallbackClaims.has(claim) ? settle(fallback) : shared.use(settle);

  /** Mail from the shared database goes out even if the fallback fails. */
  const fromFallback = async <T>(ask: (queue: DeliveryQueue) => Promise<T[]>): Promise<T[]> =>
    isFallbackInUse() ? ask(fallback).catch(ignoreUnavailable<T[]>([])) : [];
  const isInFallbackToo = async (reference: string): Promise<boolean> =>
    isFallbackInUse() && (await fallback.findSubmission(reference).catch(ignoreUnavailable(null))) !== null;

  /** Postpones the claims of requests that the other database may mail, and resolves to the others. */
  async function postponeInBoth(
    now: Date,
    claims: readonly ClaimedDelivery[],
    mayBeMailedElsewhere: (reference: string) => Promise<boolean>,
  ): Promise<ClaimedDelivery[]> {
    const rest: ClaimedDelivery[] = [];
    for (const claim of claims) {
      if (!(await mayBeMailedElsewhere(claim.submission.reference))) rest.push(claim);
      else {
        const until = new Date(now.getTime() + postponeMs);
        await settleClaim(claim, (queue) => queue.postponeDelivery(claim, until, 'is being moved'));
      }
    }
    return rest;
  }

  /** The last answer of the shared database, used while it is away. */
  let lastKnown: Undelivered[] = [];

  return {
    async claimDueDeliveries(now, limit, leaseMs, kind) {
      const own = await fromFallback((queue) => queue.claimDueDeliveries(now, limit, leaseMs, kind));
      for (const claim of own) fallbackClaims.add(claim);
      // While the shared database is reachable, the next transfer shows whether that database has the request too.
      const sendable = shared.isAway ? own : await postponeInBoth(now, own, async (one) => mayBeInBoth(one));
      if (own.length === limit || shared.isAway) return sendable;
      try {
        const rest = limit - own.length;
        const theirs = await shared.use((queue) => queue.claimDueDeliveries(now, rest, leaseMs, kind));
        // A submission that the fallback has as well may have been mailed from there.
        return [...sendable, ...(await postponeInBoth(now, theirs, isInFallbackToo))];
      } catch (error) {
        // The fallback's deliveries are claimed by now and must be sent.
        if (sendable.length > 0 && error instanceof StoreUnavailable) return sendable;
        throw error;
      }
    },
    finishDelivery: (claim, at) => settleClaim(claim, (queue) => queue.finishDelivery(claim, at)),
    postponeDelivery: (claim, until, error) =>
      settleClaim(claim, (queue) => queue.postponeDelivery(claim, until, error)),
    parkDelivery: (claim, at, error) => settleClaim(claim, (queue) => queue.parkDelivery(claim, at, error)),

    async summariseUndelivered() {
      if (!shared.isAway) lastKnown = await shared.use((queue) => queue.summariseUndelivered());
      const all = [...(await fromFallback((queue) => queue.summariseUndelivered())), ...lastKnown];
      const forms = [...new Set(all.map(({ form }) => form))];
      return forms.map((form) => joinSummaries(form, all));
    },
    retryDeliveries: async (which, now) => [
      ...(await fromFallback((queue) => queue.retryDeliveries(which, now))),
      ...(shared.isAway ? [] : await shared.use((queue) => queue.retryDeliveries(which, now))),
    ],

    async unpark(now, afterMs) {
      const own = isFallbackInUse() ? await fallback.unpark(now, afterMs).catch(ignoreUnavailable(0)) : 0;
      return own + (shared.isAway ? 0 : await shared.use((queue) => queue.unpark(now, afterMs)));
    },
  };
}

function joinSummaries(form: FormName, all: readonly Undelivered[]): Undelivered {
  const same = all.filter((one) => one.form === form);
  const times = same.flatMap(({ oldestReceivedAt }) => oldestReceivedAt ?? []);
  return {
    form,
    waiting: same.reduce((sum, { waiting }) => sum + waiting, 0),
    held: same.reduce((sum, { held }) => sum + held, 0),
    oldestReceivedAt: times.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null,
    parked: same.reduce((sum, { parked }) => sum + parked, 0),
  };
}
