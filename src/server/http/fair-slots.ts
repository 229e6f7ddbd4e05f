import type { ServerResponse } from 'node:http';

type Start = () => void;

/** A few slots for work that takes much processor time. */
export function createFairSlots(count: number) {
  let free = count;
  /** By client; the first client is served next. */
  const waiting = new Map<string, Set<Start>>();

  function remove(client: string, start: Start): void {
    const own = waiting.get(client);
    own?.delete(start);
    if (own?.size === 0) waiting.delete(client);
  }

  function serveNext(): void {
    for (const [client, own] of waiting) {
      const [start] = own;
      if (!start) continue;
      remove(client, start);
      // The client's next request waits until every other client had one.
      if (waiting.delete(client)) waiting.set(client, own);
      start();
      return;
    }
    free++;
  }

  function freeOnce(): () => void {
    let isFreed = false;
    return () => {
      if (isFreed) return;
      isFreed = true;
      // After pending events, so that pages are served in between.
      setImmediate(serveNext);
    };
  }

  return {
    /**
     * Resolves with a function that frees the slot, once there is a free one. Waiting clients are served round robin: a
     * hundred requests of one client wait behind the first request of another. Null: the response was closed before.
     */
    enter(client: string, response: Pick<ServerResponse, 'once' | 'off'>): Promise<(() => void) | null> {
      if (free > 0) {
        free--;
        return Promise.resolve(freeOnce());
      }
      return new Promise((resolve) => {
        const start = () => {
          response.off('close', withdraw);
          resolve(freeOnce());
        };
        const withdraw = () => {
          remove(client, start);
          resolve(null);
        };
        response.once('close', withdraw);
        waiting.set(client, (waiting.get(client) ?? new Set()).add(start));
      });
    },
  };
}

export type FairSlots = ReturnType<typeof createFairSlots>;
