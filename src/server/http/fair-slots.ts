import type { ServerResponse } from 'node:http';

type Start = () => void;

/** A few places for work that keeps the processor busy. */
export interface FairSlots {
  /**
   * Resolves with the function that gives the place back, once there is one. The clients that wait are served in turn:
   * a hundred requests of one client wait behind the first request of another. Null: the response was closed before.
   */
  enter(client: string, response: Pick<ServerResponse, 'once' | 'off'>): Promise<(() => void) | null>;
}

export function createFairSlots(count: number): FairSlots {
  let free = count;
  /** By client, in the order in which the clients are served next. */
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

  function leaveOnce(): () => void {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      // After what has arrived meanwhile was read: between two of these a page is served.
      setImmediate(serveNext);
    };
  }

  return {
    enter(client, response) {
      if (free > 0) {
        free--;
        return Promise.resolve(leaveOnce());
      }
      return new Promise((resolve) => {
        const start = () => {
          response.off('close', withdraw);
          resolve(leaveOnce());
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
