import type { DeliveryQueue, Undelivered } from '../../store/contract/delivery-queue.ts';

/** A request whose mail no mail server has accepted after this long is a problem. */
const overdueMs = 60 * 60_000;

/** A time as far in the future counts too: the clock was wrong then, and the request may have waited for any time. */
const isOverdue = ({ oldestReceivedAt }: Undelivered, now: Date) =>
  oldestReceivedAt !== null && Math.abs(now.getTime() - oldestReceivedAt.getTime()) > overdueMs;

export function hasProblem(undelivered: Undelivered, now: Date): boolean {
  return undelivered.parked > 0 || isOverdue(undelivered, now);
}

/** Names no reference, because a monitor reads these words. */
export function describeProblems(undelivered: readonly Undelivered[], now: Date): string[] {
  const problems: string[] = [];
  if (undelivered.some((one) => isOverdue(one, now)))
    problems.push('the oldest request has waited over an hour for a mail server');
  const parked = undelivered.reduce((sum, one) => sum + one.parked, 0);
  if (parked === 1) problems.push('1 request was refused by the mail server and is parked');
  if (parked > 1) problems.push(`${parked} requests were refused by the mail server and are parked`);
  return problems;
}

/** For /health/deliveries. */
export async function findDeliveryProblems(queue: DeliveryQueue, now: Date): Promise<string[]> {
  try {
    return describeProblems(await queue.summariseUndelivered(), now);
  } catch {
    return ['the database cannot be read, so this is not known'];
  }
}
