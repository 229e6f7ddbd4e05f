import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { explainIssues, plainWords } from './schema-mistakes.ts';
import { findMistake, type Mistake, type Written } from './yaml-mistakes.ts';

export interface ContentProblem {
  /** Relative to the content folder. */
  file: string;
  line: number | null;
  message: string;
}

export type Read<T> = { ok: true; value: T } | { ok: false; problems: ContentProblem[] };

/** Reads one YAML file against its schema. Every problem names the line it is on, and says what to do. */
export async function readYaml<T>(path: string, file: string, schema: z.ZodType<T>): Promise<Read<T>> {
  const source = await readText(path, file);
  return source.ok ? parseYaml(source.value, file, schema) : source;
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

export function parseYaml<T>(source: string, file: string, schema: z.ZodType<T>): Read<T> {
  const written = readWritten(source);
  const wrong = (mistakes: Mistake[]): Read<T> => ({
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

  const result = schema.safeParse(value, { error: plainWords });
  return result.success
    ? { ok: true, value: result.data }
    : wrong(explainIssues(result.error.issues, written, schema));
}

export function readWritten(source: string): Written {
  const lines = new LineCounter();
  // A word that begins with ! is not for the console to warn of: it is a mistake that we name.
  return {
    document: parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: 'error' }),
    source,
    lines,
  };
}
