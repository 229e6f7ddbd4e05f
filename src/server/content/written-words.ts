import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPair, isScalar, Scalar, visit } from 'yaml';
import { readWritten } from './read-yaml.ts';

/** Every sentence somebody has written into the content, with its place: for what is no mistake, and may still not be meant. */
export interface WrittenWords {
  file: string;
  line: number;
  /** The names that lead to it, such as `cover.text`; empty in the text of a page. */
  path: string;
  text: string;
  /** What stands behind a comment sign in the same line. */
  behindHash?: string | undefined;
}

const files = ['site.yaml', 'helplines.yaml', 'forms/*.yaml'];

export async function readWrittenWords(folder: string): Promise<WrittenWords[]> {
  const settings = globSync(files, { cwd: folder }).toSorted();
  const pages = globSync('pages/*.md', { cwd: folder }).toSorted();
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  const found = await Promise.all([
    ...settings.map(async (file) => wordsOf(file, await read(file))),
    ...pages.map(async (file) => linesOf(file, await read(file))),
  ]);
  return found.flat();
}

function wordsOf(file: string, source: string): WrittenWords[] {
  const { document, lines } = readWritten(source, file);
  const found: WrittenWords[] = [];
  visit(document, {
    Scalar(key, { value, type, range, comment }, ancestors) {
      if (key === 'key' || typeof value !== 'string' || !range) return;
      const names = ancestors.flatMap((one) =>
        isPair(one) && isScalar(one.key) ? String(one.key.value) : [],
      );
      const restOfLine = source.slice(range[1]).split('\n', 1)[0] ?? '';
      const isCut = type === Scalar.PLAIN && Boolean(comment) && restOfLine.trimStart().startsWith('#');
      found.push({
        file,
        line: lines.linePos(range[0]).line,
        path: names.join('.'),
        text: value,
        behindHash: isCut ? restOfLine.trim().slice(1).trim() : undefined,
      });
    },
  });
  return found;
}

/** A page's head is one of these lines too, and it is only looked at for words. */
const linesOf = (file: string, source: string): WrittenWords[] =>
  source.split('\n').map((text, index) => ({ file, line: index + 1, path: '', text }));
