import { setTimeout } from 'node:timers/promises';

const tries = 5;

/** A mail that was sent but not written down would be sent again: the database is asked five times, a second apart. */
export async function retryWrite<T>(write: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await write();
    } catch (error) {
      if (tried === tries) throw error;
      await setTimeout(1_000, undefined, { ref: false });
    }
  }
}
