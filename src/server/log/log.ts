import { type DestinationStream, type Level, type LevelWithSilent, type Logger, pino } from 'pino';
import { describeError } from './describe-error.ts';
import type { LogEvent } from './log-events.ts';
import { countRepeated } from './repeated-lines.ts';

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
  'repeated',
  'err',
] as const;

type Line = Partial<Record<(typeof allowed)[number], unknown>>;

type Write = (line: Line & { event: LogEvent }) => void;

/** What the parts of the server write to. */
export interface Log extends Record<Level, Write> {
  isLevelEnabled(level: Level): boolean;
  flush(): void;
}

/** Characters. A problem with the content is for the person who wrote it, and may take a few sentences. */
const longest = { problem: 500, any: 200 };

function pickAllowed(line: Line): Line {
  const picked: Line = {};
  for (const key of allowed) {
    const value = line[key];
    if (value === undefined) continue;
    picked[key] =
      typeof value === 'string' ? value.slice(0, key === 'problem' ? longest.problem : longest.any) : value;
  }
  if (picked.err !== undefined) picked.err = describeError(picked.err);
  return picked;
}

/** Lines with the same key differ in nothing but `ms`, and are counted instead of written again. */
function repeatKey(level: number, { ms: _ms, err, ...rest }: Line): string {
  const { type, code, at, cause } = (err ?? {}) as Record<string, { 0?: string; code?: unknown }>;
  return JSON.stringify([level, rest, type, code, at?.[0], cause?.code]);
}

/** Bytes that are buffered while the log cannot be written. Further lines are dropped. */
const bufferBytes = 64 * 1024;

/**
 * Standard output, which may be a file on a full disk or a pipe that nobody reads. The site matters more than its log:
 * a line that cannot be written waits for the next one, instead of ending or blocking the process. Lines are written
 * synchronously, because pino flushes asynchronous ones at the exit, and there retries a full disk for ever.
 */
function openStandardOutput(): DestinationStream {
  // Reading process.stdout sets a pipe to non-blocking: a write that would block fails with EAGAIN.
  const { fd } = process.stdout;
  const options = { fd, sync: true, maxLength: bufferBytes, retryEAGAIN: () => false };
  return pino.destination(options).on('error', () => {});
}

/** Repeated lines are counted from this level on: clients can cause as many as they like. */
const warnLevel = pino.levels.values.warn ?? 40;
const debugLevel = pino.levels.values.debug ?? 20;

/**
 * A line has at most about 2 kB, and a request writes at most one above `debug`. A repeated warning is written once, and a
 * minute later how often it was repeated. `flush` writes these counts at once.
 */
export function createLog(
  level: LevelWithSilent,
  destination: DestinationStream = openStandardOutput(),
): Logger {
  type WritePicked = (line: Line) => void;
  const repeats = countRepeated<{ line: Line; write: WritePicked }>((counted, repeated) => {
    if (counted) counted.write({ ...counted.line, repeated });
    else log.warn({ event: 'similar lines left out', repeated });
  });
  /** Loggers of requests that have written their line. */
  const written = new WeakSet<Logger>();

  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    hooks: {
      // In a hook, because pino itself would add an error's message to the line. Fastify and its plugins log sentences with
      // values in them, so only lines with an `event` or an error are written.
      logMethod(
        this: Logger,
        args: Parameters<Logger['info']>,
        method: (...rest: never[]) => void,
        atLevel: number,
      ) {
        const given: unknown = args[0];
        if (typeof given !== 'object' || given === null) return;
        if (!('event' in given) && !('err' in given)) return;
        const line = pickAllowed('event' in given ? given : { event: 'internal error', err: given.err });
        const write: WritePicked = (picked) => method.apply(log, [picked] as never);
        if (atLevel > debugLevel && this !== log) {
          if (written.has(this)) return;
          written.add(this);
        }
        // A line with a reference is about one stored request, and is always written.
        const isCounted = atLevel >= warnLevel && line.reference === undefined;
        if (!isCounted || repeats.isNew({ line, write }, repeatKey(atLevel, line))) write(line);
      },
    },
  };
  const log = pino(options, destination);
  // The bindings of a child logger would bypass the list. Fastify makes a child for each request.
  return Object.assign(log, { child: () => Object.create(log), flush: repeats.flush });
}
