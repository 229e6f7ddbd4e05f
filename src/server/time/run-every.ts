import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import type { LogEvent } from '../log/log-events.ts';

/** A mail that is being sent when the server closes gets this long: sent and not recorded, it would be sent again. */
export const shutdownGraceMs = 6_000;

/** Resolves when a run that is under way has ended, or after so many milliseconds. */
export type StopRunning = (atMostMs?: number) => Promise<void>;

/** What the server does again and again by itself. */
export interface Timer {
  everyMs: number;
  run: () => Promise<unknown>;
  /** The log event of a run that throws. */
  failed: LogEvent;
  /** A close waits for a run that is under way: a mail that is sent and not recorded would be sent again. */
  isAwaited?: boolean;
}

export function createTimers(timers: readonly Timer[], log: Pick<Log, 'error'>) {
  let stops: StopRunning[] = [];
  return {
    start() {
      stops = timers.map(({ everyMs, run, failed }) =>
        runEvery(everyMs, run, (err) => log.error({ event: failed, err })),
      );
    },
    async stop() {
      const stopped = stops.map((stop) => stop(shutdownGraceMs));
      await Promise.all(stopped.filter((_one, index) => timers[index]?.isAwaited));
    },
  };
}

/** Runs `work` at once and then `ms` after each run ends, so that runs never overlap. */
export function runEvery(
  ms: number,
  work: () => Promise<unknown>,
  onError: (error: unknown) => void,
): StopRunning {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  async function run(): Promise<void> {
    await work().catch(onError);
    if (stopped) return;
    timer = setTimeout(() => {
      current = run();
    }, ms).unref();
  }
  let current = run();
  return (atMostMs) => {
    stopped = true;
    clearTimeout(timer);
    if (atMostMs === undefined) return current;
    return Promise.race([current, wait(atMostMs, undefined, { ref: false })]);
  };
}
