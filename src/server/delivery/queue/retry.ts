import { setTimeout } from 'node:timers/promises';

/**
 * After a failure that may pass: half a minute, a minute, two, four, eight, and from then on every quarter of an hour.
 * No request is ever given up: after an hour staff get a notice.
 */
const firstMs = 30_000;
const longestMs = 15 * 60_000;

/** With jitter: up to half of the wait less, so that mails that failed together do not come back together. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  const whole = Math.min(firstMs * 2 ** Math.max(0, attempts - 1), longestMs);
  return Math.round(whole * (1 - random() / 2));
}

const writeAttempts = 5;

/** Five attempts, a second apart. A mail that was sent and not recorded would be sent again. */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === writeAttempts) throw error;
      await setTimeout(1_000, undefined, { ref: false });
    }
  }
}
