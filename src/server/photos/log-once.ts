import type { Logger } from 'pino';

export interface LogOnce {
  /** Writes a line unless the same line was written before. */
  warn(line: Record<string, unknown>): void;
  /** Forgets the lines that were written. */
  clear(): void;
}

/** For retries that fail the same way each time: a line that repeats every hour is no longer read. */
export function createLogOnce(log: Pick<Logger, 'warn'>): LogOnce {
  const logged = new Set<string>();
  return {
    warn(line) {
      const text = JSON.stringify(line);
      if (logged.has(text)) return;
      logged.add(text);
      log.warn(line);
    },
    clear: () => logged.clear(),
  };
}
