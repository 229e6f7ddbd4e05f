import type { FormName } from '../../../model/form-field.ts';
import type { Archive } from '../contract/archive.ts';
import type { ClaimedDelivery, DeliveryQueue, Undelivered } from '../contract/delivery-queue.ts';
import { ignoreAway, StoreUnavailable } from '../contract/errors.ts';
import type { Primary } from './shared-database.ts';

/** Until the next move, which tells where a request is mailed from that may be in both. */
const putBackMs = 2_000;

export interface QueueParts {
  primary: Primary;
  spare: DeliveryQueue & Pick<Archive, 'findSubmission'>;
  isInSpare: () => boolean;
  /** Whether the database may have this one of the spare's too: its answer was lost. */
  isUnsure: (reference: string) => boolean;
}

/** Mail goes out from both: what is kept in the spare does not wait until the database is back. */
export function joinQueues({ primary, spare, isInSpare, isUnsure }: QueueParts): DeliveryQueue {
  /** Whose a claim is: it is settled where it was made. */
  const spares = new WeakSet<ClaimedDelivery>();
  const whose = <T>(claim: ClaimedDelivery, settle: (queue: DeliveryQueue) => Promise<T>) =>
    spares.has(claim) ? settle(spare) : primary.use(settle);

  /** A spare that fails keeps nothing else from being sent. */
  const ofSpare = async <T>(ask: (queue: DeliveryQueue) => Promise<T[]>): Promise<T[]> =>
    isInSpare() ? ask(spare).catch(ignoreAway<T[]>([])) : [];
  const isHere = async (reference: string): Promise<boolean> =>
    isInSpare() && (await spare.findSubmission(reference).catch(ignoreAway(null))) !== null;

  /** The others of these claims; those that meet the condition are due again in a moment. */
  async function putBack(
    now: Date,
    claims: readonly ClaimedDelivery[],
    isToWait: (reference: string) => Promise<boolean>,
  ): Promise<ClaimedDelivery[]> {
    const rest: ClaimedDelivery[] = [];
    for (const claim of claims) {
      if (!(await isToWait(claim.submission.reference))) rest.push(claim);
      else {
        const until = new Date(now.getTime() + putBackMs);
        await whose(claim, (queue) => queue.postponeDelivery(claim, until, 'is being moved'));
      }
    }
    return rest;
  }

  /** What the database said last: while it is away that is all anyone knows, and it grows old. */
  let lastKnown: Undelivered[] = [];

  return {
    async claimDueDeliveries(now, limit, leaseMs, which) {
      const own = await ofSpare((queue) => queue.claimDueDeliveries(now, limit, leaseMs, which));
      for (const claim of own) spares.add(claim);
      // While the database is there, the next move tells whether it has this one, and may have mailed it.
      const sure = primary.isAway ? own : await putBack(now, own, async (one) => isUnsure(one));
      if (own.length === limit || primary.isAway) return sure;
      try {
        const rest = limit - own.length;
        const theirs = await primary.use((queue) => queue.claimDueDeliveries(now, rest, leaseMs, which));
        // What is here as well may have been mailed from here.
        return [...sure, ...(await putBack(now, theirs, isHere))];
      } catch (error) {
        // Those that were claimed must be sent.
        if (sure.length > 0 && error instanceof StoreUnavailable) return sure;
        throw error;
      }
    },
    finishDelivery: (claim, at) => whose(claim, (queue) => queue.finishDelivery(claim, at)),
    postponeDelivery: (claim, until, error) =>
      whose(claim, (queue) => queue.postponeDelivery(claim, until, error)),
    parkDelivery: (claim, at, error) => whose(claim, (queue) => queue.parkDelivery(claim, at, error)),

    async summariseUndelivered() {
      if (!primary.isAway) lastKnown = await primary.use((queue) => queue.summariseUndelivered());
      const all = [...(await ofSpare((queue) => queue.summariseUndelivered())), ...lastKnown];
      const forms = [...new Set(all.map(({ form }) => form))];
      return forms.map((form) => addUp(form, all));
    },
    retryDeliveries: async (which, now) => [
      ...(await ofSpare((queue) => queue.retryDeliveries(which, now))),
      ...(primary.isAway ? [] : await primary.use((queue) => queue.retryDeliveries(which, now))),
    ],

    async unpark(now, afterMs) {
      const own = isInSpare() ? await spare.unpark(now, afterMs).catch(ignoreAway(0)) : 0;
      return own + (primary.isAway ? 0 : await primary.use((queue) => queue.unpark(now, afterMs)));
    },

    claimNotice: (now, everyMs) =>
      primary.isAway
        ? spare.claimNotice(now, everyMs)
        : primary.use((queue) => queue.claimNotice(now, everyMs)),
    releaseNotice: () =>
      primary.isAway ? spare.releaseNotice() : primary.use((queue) => queue.releaseNotice()),

    claimEscalations: async (now, afterMs) => [
      ...(await ofSpare((queue) => queue.claimEscalations(now, afterMs))),
      ...(primary.isAway ? [] : await primary.use((queue) => queue.claimEscalations(now, afterMs))),
    ],
    async releaseEscalations(references) {
      if (isInSpare()) await spare.releaseEscalations(references);
      if (!primary.isAway) await primary.use((queue) => queue.releaseEscalations(references));
    },
  };
}

function addUp(form: FormName, all: readonly Undelivered[]): Undelivered {
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
