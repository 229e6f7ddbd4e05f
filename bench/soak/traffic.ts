import { setTimeout as pause } from 'node:timers/promises';

/** Clients of one kind, each of which visits, pauses and visits again until the soak ends. */
export interface Clients {
  count: number;
  /** Together the pauses leave the server some idle time. */
  pauseMs: number;
  /** Rejects where the server did not answer as it should. */
  visit(): Promise<void>;
}

export interface Traffic {
  /** Completed visits of each kind. */
  counts: Record<string, number>;
  /** Errors of visits, and how often each occurred. */
  unexpected: Record<string, number>;
}

/** Runs all clients until the signal, and resolves when their last visits have ended. */
export async function runTraffic(
  kinds: Record<string, Clients>,
  { counts, unexpected }: Traffic,
  signal: AbortSignal,
): Promise<void> {
  const repeat = async (kind: string, { visit, pauseMs }: Clients) => {
    while (!signal.aborted) {
      try {
        await visit();
        counts[kind] = (counts[kind] ?? 0) + 1;
      } catch (error) {
        const what = `${kind}: ${error}`;
        if (!signal.aborted) unexpected[what] = (unexpected[what] ?? 0) + 1;
      }
      await pause(pauseMs);
    }
  };
  const all = Object.entries(kinds).flatMap(([kind, clients]) =>
    Array.from({ length: clients.count }, () => repeat(kind, clients)),
  );
  await Promise.all(all);
}
