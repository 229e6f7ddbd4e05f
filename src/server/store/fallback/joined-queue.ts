import type { FormName } from '../../../model/form-field.ts';
import type { DeliveryQueue, Undelivered } from '../contract/delivery-queue.ts';
import { ignoreUnavailable } from '../contract/errors.ts';
import type { SharedDatabase } from './shared-database.ts';

/** Mail goes out from both databases: a request in the fallback does not wait until the shared database is back. */
export function joinQueues(
  shared: SharedDatabase,
  fallback: DeliveryQueue,
  isFallbackInUse: () => boolean,
): DeliveryQueue {
  const fromFallback = async <T>(ask: (queue: DeliveryQueue) => Promise<T[]>): Promise<T[]> =>
    isFallbackInUse() ? ask(fallback).catch(ignoreUnavailable<T[]>([])) : [];
  /** The last answer of the shared database, used while it is away. */
  let lastKnown: Undelivered[] = [];

  return {
    finishDelivery: (claim, at) =>
      claim.isLocal
        ? fallback.finishDelivery(claim, at)
        : shared.use((queue) => queue.finishDelivery(claim, at)),
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
