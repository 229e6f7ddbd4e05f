import type { FormName } from '../../model/form-field.ts';
import type { ClaimedDelivery, DeliveryQueue, Undelivered } from './delivery-queue.ts';
import type { Primary } from './primary.ts';
import { ignoreAway, StoreUnavailable } from './submission-store.ts';

/** Mail goes out from both: what is kept in the spare does not wait until the database is back. */
export function joinQueues(primary: Primary, spare: DeliveryQueue, isInSpare: () => boolean): DeliveryQueue {
  /** Whose a claim is: it is settled where it was made. */
  const spares = new WeakSet<ClaimedDelivery>();
  const whose = <T>(claim: ClaimedDelivery, settle: (queue: DeliveryQueue) => Promise<T>) =>
    spares.has(claim) ? settle(spare) : primary.use(settle);

  /** A spare that fails keeps nothing else from being sent. */
  const ofSpare = async <T>(ask: (queue: DeliveryQueue) => Promise<T[]>): Promise<T[]> =>
    isInSpare() ? ask(spare).catch(ignoreAway<T[]>([])) : [];
  /** What the database said last: while it is away that is all anyone knows, and it grows old. */
  let lastKnown: Undelivered[] = [];

  return {
    async claimDueDeliveries(now, limit, leaseMs, which) {
      const own = await ofSpare((queue) => queue.claimDueDeliveries(now, limit, leaseMs, which));
      for (const claim of own) spares.add(claim);
      if (own.length === limit || primary.isAway) return own;
      try {
        const rest = limit - own.length;
        return [
          ...own,
          ...(await primary.use((queue) => queue.claimDueDeliveries(now, rest, leaseMs, which))),
        ];
      } catch (error) {
        // Those that were claimed must be sent.
        if (own.length > 0 && error instanceof StoreUnavailable) return own;
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
