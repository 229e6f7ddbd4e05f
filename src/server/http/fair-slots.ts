import type { ServerResponse } from 'node:http';

/** A few slots for work that takes much processor time. */
export function createFairSlots(count: number) {
  let free = count;
  /** By client; the first client is served next. Each function returns whether it took the slot. */
  const waiting = new Map<string, (() => boolean)[]>();

  function serveNext(): void {
    // The client's next request waits until every other client had one.
    for (const [client, queue] of waiting) {
      waiting.delete(client);
      const hasStarted = queue.shift()?.();
      if (queue.length > 0) waiting.set(client, queue);
      if (hasStarted) return;
    }
    free++;
  }

  return {
    /**
     * Resolves with a function that frees the slot, once there is a free one; call it once. Waiting clients are served round
     * robin: a hundred requests of one client wait behind the first request of another. Null: the response was closed before.
     */
    enter(client: string, response: Pick<ServerResponse, 'destroyed'>): Promise<(() => void) | null> {
      return new Promise((resolve) => {
        const queue = waiting.get(client) ?? [];
        queue.push(() => {
          // After pending events, so that pages are served in between.
          resolve(response.destroyed ? null : () => void setImmediate(serveNext));
          return !response.destroyed;
        });
        waiting.set(client, queue);
        if (free === 0) return;
        free--;
        serveNext();
      });
    },
  };
}

export type FairSlots = ReturnType<typeof createFairSlots>;
