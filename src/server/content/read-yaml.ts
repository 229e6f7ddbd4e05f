import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isMap, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { earlierNames } from './defaults.ts';
import { findDefaultsUsed, merge } from './merge.ts';
import { defaultMessages, explainIssues, type LocatedMistake, mistakeAt } from './schema-mistakes.ts';
import { findMistake, type Mistake, type ParsedYaml } from './yaml-mistakes.ts';

export interface ContentProblem {
  /** Relative to the content folder. */
  file: string;
  line: number | null;
  message: string;
}

export type ReadResult<T, More = unknown> =
  | ({ ok: true; value: T } & More)
  | { ok: false; problems: ContentProblem[] };

interface Notes {
  /** The file over the defaults, as it was written: before the schema. */
  merged: unknown;
  /** The names of the defaults that the file does not replace. */
  defaultsUsed: string[];
  /** Lines in the file that no longer have an effect. */
  retired: ContentProblem[];
}

interface ReadOptions<T> {
  schema: z.ZodType<T>;
  /** Values for names that the file leaves out. With defaults the file may be empty. */
  defaults?: unknown;
  /** Whether the file may be missing. */
  optional?: boolean;
}

/** Reads one YAML file against its schema. Every problem names the line it is on, and says what to do. */
export async function readYaml<T>(
  path: string,
  file: string,
  options: ReadOptions<T>,
): Promise<ReadResult<T, Notes>> {
  if (options.optional && !existsSync(path)) return parseYaml('', file, options);
  const source = await readText(path, file);
  return source.ok ? parseYaml(source.value, file, options) : source;
}

export async function readText(path: string, file: string): Promise<ReadResult<string>> {
  try {
    return { ok: true, value: await readFile(path, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      ok: false,
      problems: [{ file, line: null, message: unreadable[code ?? ''] ?? `could not be read (${code})` }],
    };
  }
}

const unreadable: Record<string, string> = {
  ENOENT: 'is missing',
  EISDIR: 'is a folder, and should be a file',
  EACCES: 'may not be read by the user this runs as',
};

export function parseYaml<T>(source: string, file: string, options: ReadOptions<T>): ReadResult<T, Notes> {
  const { schema, defaults } = options;
  const written = parseSource(source, file);
  const wrong = (mistakes: Mistake[]): ReadResult<T, Notes> => ({
    ok: false,
    problems: mistakes.map(({ line, message }) => ({ file, line, message })),
  });

  const mistake = findMistake(written);
  if (mistake) return wrong([mistake]);

  let value: unknown;
  try {
    value = written.document.toJS();
  } catch {
    // The parser found no mistake, so an alias grows without bounds. The parser does not say where that alias is.
    return wrong([
      { line: null, message: 'repeats itself without end: take the words that begin with * out' },
    ]);
  }

  const merged = merge(defaults, value);
  const result = schema.safeParse(merged, { error: defaultMessages });
  if (!result.success) return wrong(explainIssues(result.error.issues, written, schema));
  return {
    ok: true,
    value: result.data,
    merged,
    defaultsUsed: findDefaultsUsed(defaults, value),
    retired: written.retired.map((mistake) => ({ file, ...mistake })),
  };
}

export function parseSource(source: string, file: string): ParsedYaml & { retired: LocatedMistake[] } {
  const lines = new LineCounter();
  // Without the parser's own warnings on the console: a word that begins with ! is named as a mistake.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  const written = { document, source, lines };
  return { ...written, retired: document.errors.length === 0 ? replaceEarlierNames(written, file) : [] };
}

/** Changes the document and not its values, so that mistakes are still reported with their own lines. */
function replaceEarlierNames(written: ParsedYaml, file: string): LocatedMistake[] {
  const { document } = written;
  return (earlierNames[file] ?? []).flatMap(([earlier, later]) => {
    const [from, to] = [earlier.split('.'), later?.split('.')];
    // A name with nothing after it counts as absent, as in merge.ts.
    for (const path of to ? [from, to.slice(0, -1), to] : [])
      if (document.getIn(path) === null) document.deleteIn(path);
    const parent = to && document.getIn(to.slice(0, -1));
    const isTaken = to && (document.hasIn(to) || (parent !== undefined && !isMap(parent)));
    if (!document.hasIn(from) || isTaken) return [];
    const retired = to ? [] : [mistakeAt(written, from, 'is no longer used')];
    const node = document.getIn(from, true);
    document.deleteIn(from);
    if (to) document.setIn(to, node);
    return retired;
  });
}
