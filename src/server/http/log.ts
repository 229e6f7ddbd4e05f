import { type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from '../settings.ts';

/**
 * Logs hold what is on this list and nothing else. A list of what to hide leaks sooner or later
 * (pinojs/pino#1708, #1509); so answers, tokens, addresses and messages of foreign errors have no way in.
 */
const allowed = [
  'event',
  'method',
  'route',
  'status',
  'ms',
  'reference',
  'form',
  'attempts',
  'count',
  'port',
  'file',
  'line',
  'problem',
  'reason',
  'err',
] as const;

type Line = Partial<Record<(typeof allowed)[number], unknown>>;

/** Where it happened and what kind it was. The message stays out: a driver may quote the row it choked on. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const at = error.stack
    ?.split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim());
  const { code } = error as { code?: unknown };
  return {
    type: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    at,
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  };
}

function keepAllowed(line: Line): Line {
  const kept: Line = {};
  for (const key of allowed) if (line[key] !== undefined) kept[key] = line[key];
  if (kept.err !== undefined) kept.err = describeError(kept.err);
  return kept;
}

export function createLog(level: Settings['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: {
      // Before pino sees it: pino takes an error's message for the line's own. Fastify and its plugins log sentences
      // with values in them, so only lines with an `event` or an error are kept.
      logMethod(this: Logger, args: Parameters<Logger['info']>, method: (...rest: never[]) => void) {
        const line: unknown = args[0];
        if (typeof line !== 'object' || line === null) return;
        if ('event' in line) method.apply(this, [keepAllowed(line)] as never);
        else if ('err' in line)
          method.apply(this, [keepAllowed({ event: 'internal error', err: line.err })] as never);
      },
    },
  };
  const log = destination ? pino(options, destination) : pino(options);
  // What a child is bound to would stand on every line of it, past the list; Fastify makes one for each request.
  return Object.assign(log, { child: () => log });
}
