import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isMap, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { renamedNames } from './defaults.ts';
import { findDefaultsUsed, hasPath, merge, withoutPath } from './merge.ts';
import { defaultMessages, explainIssues, mistakeAt } from './schema-mistakes.ts';
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
  /** Paths that are ignored. */
  retired?: readonly string[][];
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
  const { schema, defaults, retired = [] } = options;
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

  const ignored = retired.filter((one) => hasPath(value, one));
  const used = ignored.reduce(withoutPath, value);
  const merged = merge(defaults, used);
  const result = schema.safeParse(merged, { error: defaultMessages });
  if (!result.success) return wrong(explainIssues(result.error.issues, written, schema));
  return {
    ok: true,
    value: result.data,
    merged,
    defaultsUsed: findDefaultsUsed(defaults, used),
    retired: ignored.map((path) => ({ file, ...mistakeAt(written, path, 'is no longer used') })),
  };
}

export function parseSource(source: string, file: string): ParsedYaml {
  const lines = new LineCounter();
  // Without the parser's own warnings on the console: a word that begins with ! is named as a mistake.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  if (document.errors.length === 0) renameOldNames(document, file);
  return { document, source, lines };
}

/** Renames in the document and not in its values, so that mistakes are still reported with their own lines. */
function renameOldNames(document: ParsedYaml['document'], file: string): void {
  for (const [from, to] of renamedNames[file] ?? []) {
    // A name with nothing after it counts as absent, as in merge.ts.
    for (const path of [from, to.slice(0, -1), to])
      if (document.getIn(path) === null) document.deleteIn(path);
    const parent = document.getIn(to.slice(0, -1));
    if (!document.hasIn(from) || document.hasIn(to) || (parent !== undefined && !isMap(parent))) continue;
    const node = document.getIn(from, true);
    document.deleteIn(from);
    document.setIn(to, node);
  }
}
