import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isMap, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { renamedNames } from './defaults.ts';
import { has, leftToUs, merge, without } from './merge.ts';
import { explainIssues, plainWords, sayAt } from './schema-mistakes.ts';
import { findMistake, type Mistake, type Written } from './yaml-mistakes.ts';

export interface ContentProblem {
  /** Relative to the content folder. */
  file: string;
  line: number | null;
  message: string;
}

export type Read<T, More = unknown> =
  | ({ ok: true; value: T } & More)
  | { ok: false; problems: ContentProblem[] };

interface Left {
  /** The names of our words that the file leaves as they are. */
  left: string[];
  /** What is in it and no longer means anything. */
  retired: ContentProblem[];
}

export interface Reading<T> {
  schema: z.ZodType<T>;
  /** What counts where the file says nothing; with it, an empty file is none. */
  ours?: unknown;
  /** Where there need be no file at all. */
  optional?: boolean;
  /** Paths that are ignored. */
  retired?: readonly string[][];
}

/** Reads one YAML file against its schema. Every problem names the line it is on, and says what to do. */
export async function readYaml<T>(path: string, file: string, reading: Reading<T>): Promise<Read<T, Left>> {
  if (reading.optional && !existsSync(path)) return parseYaml('', file, reading);
  const source = await readText(path, file);
  return source.ok ? parseYaml(source.value, file, reading) : source;
}

export async function readText(path: string, file: string): Promise<Read<string>> {
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

export function parseYaml<T>(source: string, file: string, reading: Reading<T>): Read<T, Left> {
  const { schema, ours, retired = [] } = reading;
  const written = readWritten(source, file);
  const wrong = (mistakes: Mistake[]): Read<T, Left> => ({
    ok: false,
    problems: mistakes.map(({ line, message }) => ({ file, line, message })),
  });

  const mistake = findMistake(written);
  if (mistake) return wrong([mistake]);

  let value: unknown;
  try {
    value = written.document.toJS();
  } catch {
    // What is left are aliases that would grow without bounds; the parser does not say where.
    return wrong([
      { line: null, message: 'repeats itself without end: take the words that begin with * out' },
    ]);
  }

  const gone = retired.filter((one) => has(value, one));
  const theirs = gone.reduce(without, value);
  const result = schema.safeParse(merge(ours, theirs), { error: plainWords });
  if (!result.success) return wrong(explainIssues(result.error.issues, written, schema));
  return {
    ok: true,
    value: result.data,
    left: leftToUs(ours, theirs),
    retired: gone.map((path) => ({ file, ...sayAt(written, path, 'is no longer used') })),
  };
}

export function readWritten(source: string, file: string): Written {
  const lines = new LineCounter();
  // A word that begins with ! is not for the console to warn of: it is a mistake that we name.
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  if (document.errors.length === 0) renameOldNames(document, file);
  return { document, source, lines };
}

/** In the document instead of its values, so that mistakes are still found in their own lines. */
function renameOldNames(document: Written['document'], file: string): void {
  for (const [from, to] of renamedNames[file] ?? []) {
    const parent = document.getIn(to.slice(0, -1));
    if (!document.hasIn(from) || document.hasIn(to) || (parent !== undefined && !isMap(parent))) continue;
    const node = document.getIn(from, true);
    document.deleteIn(from);
    document.setIn(to, node);
  }
}
