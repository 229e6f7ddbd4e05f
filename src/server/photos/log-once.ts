import type { Logger } from 'pino';

export interface LogOnce {
  /** Writes a line unless the same line was written before. */
  warn(line: Record<string, unknown>): void;
  /** Forgets the lines that were written. */
  clear(): void;
}

/** For retries that fail the same way each time: nobody reads a line that comes every hour. */
export function createLogOnce(log: Pick<Logger, 'warn'>): LogOnce {
  const said = new Set<string>();
  return {
    warn(line) {
      const words = JSON.stringify(line);
      if (said.has(words)) return;
      said.add(words);
      log.warn(line);
    },
    clear: () => said.clear(),
  };
}
