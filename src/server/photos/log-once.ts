import type { Logger } from 'pino';

export interface LogOnce {
  /** Writes a line unless the very same was written before. */
  warn(line: Record<string, unknown>): void;
  /** After it, what was said may be said again. */
  clear(): void;
}

/** For what is tried again and again and fails the same way: said once, it is read; said hourly, it is not. */
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
