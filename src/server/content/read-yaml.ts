import { readFile } from 'node:fs/promises';
import { type Document, isMap, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';

export interface ContentProblem {
  /** Relative to the content folder. */
  file: string;
  line: number | null;
  message: string;
}

export type Read<T> = { ok: true; value: T } | { ok: false; problems: ContentProblem[] };

/** Reads one YAML file against its schema. Every problem names the line it is on. */
export async function readYaml<T>(path: string, file: string, schema: z.ZodType<T>): Promise<Read<T>> {
  let source: string;
  try {
    source = await readFile(path, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const message = missing ? 'is missing' : `could not be read (${(error as NodeJS.ErrnoException).code})`;
    return { ok: false, problems: [{ file, line: null, message }] };
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

  const result = schema.safeParse(written);
  if (result.success) return { ok: true, value: result.data };
  return {
    ok: false,
    problems: result.error.issues.flatMap((issue) => {
      // An unknown key is reported on its parent: name each, on its own line.
      const paths =
        issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
      return paths.map((path) => ({
        file,
        line: lineOf(document, lines, path),
        message: explain(issue, path),
      }));
    }),
  };
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

function explain(issue: z.core.$ZodIssue, path: PropertyKey[]): string {
  const where = path.map((part) => (typeof part === 'number' ? `#${part + 1}` : String(part))).join(' › ');
  const what = issue.code === 'unrecognized_keys' ? 'is not a setting of this file' : issue.message;
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
