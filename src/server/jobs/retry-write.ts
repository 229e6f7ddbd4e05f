import { setTimeout } from 'node:timers/promises';

const attempts = 5;

/** Five attempts, a second apart. What was done and not recorded would be done again: a mail would be sent twice. */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (attempt === attempts) throw error;
      await setTimeout(1_000, undefined, { ref: false });
    }
  }
}
