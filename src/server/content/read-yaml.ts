import { readFile } from 'node:fs/promises';
import { type Document, isMap, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';
import { has, leftToUs, merge, without } from './merge.ts';

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

/** Reads one YAML file against its schema. Every problem names the line it is on. */
export async function readYaml<T>(path: string, file: string, reading: Reading<T>): Promise<Read<T, Left>> {
  const { schema, ours, optional = false, retired = [] } = reading;
  let source: string;
  try {
    source = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const missing = code === 'ENOENT';
    if (!missing || !optional) {
      const message = missing ? 'is missing' : `could not be read (${code})`;
      return { ok: false, problems: [{ file, line: null, message }] };
    }
    source = '';
  }

  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    return {
      ok: false,
      problems: document.errors.map((error) => ({
        file,
        line: lines.linePos(error.pos[0]).line,
        message: `is not YAML here: ${error.message}`,
      })),
    };
  }

  const aliases = findBadAliases(document, lines);
  if (aliases.length > 0) return { ok: false, problems: aliases.map((one) => ({ file, ...one })) };

  let written: unknown;
  try {
    written = document.toJS();
  } catch (error) {
    // What is left are aliases that would grow without bounds; the parser does not say where.
    return {
      ok: false,
      problems: [{ file, line: null, message: `is not YAML: ${(error as Error).message}` }],
    };
  }

  const gone = retired.filter((one) => has(written, one));
  const theirs = gone.reduce(without, written);
  const result = schema.safeParse(merge(ours, theirs), { error: expectedShape });
  const at = (where: PropertyKey[], what: string): ContentProblem => ({
    file,
    line: lineOf(document, lines, where),
    message: sayWhere(where, what),
  });
  if (result.success) {
    return {
      ok: true,
      value: result.data,
      left: leftToUs(ours, theirs),
      retired: gone.map((one) => at(one, 'is no longer used')),
    };
  }
  return {
    ok: false,
    problems: result.error.issues.flatMap((issue) =>
      // An unknown name is reported on its parent: name each, on its own line.
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => at([...issue.path, key], 'is not a setting of this file'))
        : at(issue.path, issue.message),
    ),
  };
}

/** For what the schema itself has no words for. */
function expectedShape(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'invalid_type') return undefined;
  if (issue.expected === 'object') return 'expected lines of its own below it, each moved in by two spaces';
  return issue.expected === 'array' ? 'expected a list' : undefined;
}

/** `*Sorry` is an alias to the parser, which finds out only when it looks for what it stands for. */
function findBadAliases(document: Document, lines: LineCounter): Pick<ContentProblem, 'line' | 'message'>[] {
  const found: Pick<ContentProblem, 'line' | 'message'>[] = [];
  visit(document, {
    Alias(_key, alias) {
      if (alias.resolve(document)) return;
      found.push({
        line: alias.range ? lines.linePos(alias.range[0]).line : null,
        message: `*${alias.source} stands for nothing: words that begin with * need quotes around them`,
      });
    },
  });
  return found;
}

function sayWhere(path: PropertyKey[], what: string): string {
  const where = path.map((part) => (typeof part === 'number' ? `#${part + 1}` : String(part))).join(' › ');
  return where ? `${where}: ${what}` : what;
}

/** The line of the node a path leads to, or of its nearest parent where the node itself is missing. */
function lineOf(document: Document, lines: LineCounter, path: PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    if (isMap(parent)) {
      const pair = parent.items.find((item) => String(item.key) === String(last));
      const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
      if (range) return lines.linePos(range[0]).line;
    }
    const node = document.getIn(path.slice(0, length), true) as
      | { range?: [number, number, number] }
      | undefined;
    if (node?.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}
