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

/** What the log keeps back, in bytes, while it cannot be written; lines beyond that are dropped. */
const heldBack = 64 * 1024;

/**
 * Standard output, which may be a file on a full disk or a pipe that nobody reads. The site matters more than its log:
 * such a line waits for the next one instead of ending the process or holding it up. It is written at once, because
 * what pino writes later it also flushes at the exit, and there it tries a full disk for ever.
 */
function openStandardOutput(): DestinationStream {
  // Asking for the stream makes a pipe answer EAGAIN where it would block.
  const { fd } = process.stdout;
  const options = { fd, sync: true, maxLength: heldBack, retryEAGAIN: () => false };
  return pino.destination(options).on('error', () => {});
}

export function createLog(
  level: Settings['logLevel'],
  destination: DestinationStream = openStandardOutput(),
): Logger {
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
  const log = pino(options, destination);
  // What a child is bound to would stand on every line of it, past the list; Fastify makes one for each request.
  return Object.assign(log, { child: () => log });
}
