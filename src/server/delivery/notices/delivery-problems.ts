import type { DeliveryQueue, Undelivered } from '../../store/contract/delivery-queue.ts';

/** A request that staff do not have after this long is trouble. */
export const overdueMs = 60 * 60_000;

/** Also one from as far in the future: it came while the clock was wrong, and nobody knows how long it has waited. */
const overdue = ({ oldestReceivedAt }: Undelivered, now: Date) =>
  oldestReceivedAt !== null && Math.abs(now.getTime() - oldestReceivedAt.getTime()) > overdueMs;

export function hasProblem(undelivered: Undelivered, now: Date): boolean {
  return undelivered.parked > 0 || overdue(undelivered, now);
}

/** What is wrong, in words without a reference: a monitor reads them. */
export function describeOverdue(undelivered: readonly Undelivered[], now: Date): string | null {
  return undelivered.some((one) => overdue(one, now))
    ? 'the oldest undelivered request has waited for more than an hour'
    : null;
}

export function describeParked(undelivered: readonly Undelivered[]): string | null {
  const parked = undelivered.reduce((sum, one) => sum + one.parked, 0);
  if (parked === 0) return null;
  return parked === 1
    ? '1 request was refused by the mail server and is parked'
    : `${parked} requests were refused by the mail server and are parked`;
}

/** For /health/deliveries. */
export async function findDeliveryProblems(queue: DeliveryQueue, now: Date): Promise<string[]> {
  try {
    const undelivered = await queue.summariseUndelivered();
    return [describeOverdue(undelivered, now), describeParked(undelivered)].filter(
      (problem) => problem !== null,
    );
  } catch {
    return ['the database cannot be read, so this is not known'];
  }
}
