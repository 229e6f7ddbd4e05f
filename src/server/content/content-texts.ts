import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isPair, isScalar, Scalar, visit } from 'yaml';
import { parseSource } from './read-yaml.ts';

/** A text in the content with its file and line, for notes on content that is valid and most likely unintended. */
export interface ContentText {
  file: string;
  line: number;
  /** The keys that lead to the text, such as `cover.text`. Empty in the text of a page. */
  path: string;
  text: string;
  /** The comment after the text in the same line. */
  comment?: string | undefined;
}

const yamlPatterns = ['site.yaml', 'helplines.yaml', 'forms/*.yaml'];

export async function readContentTexts(folder: string): Promise<ContentText[]> {
  const yamlFiles = globSync(yamlPatterns, { cwd: folder }).toSorted();
  const pages = globSync('pages/*.md', { cwd: folder }).toSorted();
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  const found = await Promise.all([
    ...yamlFiles.map(async (file) => textsOf(file, await read(file))),
    ...pages.map(async (file) => linesOf(file, await read(file))),
  ]);
  return found.flat();
}

function textsOf(file: string, source: string): ContentText[] {
  const { document, lines } = parseSource(source, file);
  const found: ContentText[] = [];
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
        comment: isCut ? restOfLine.trim().slice(1).trim() : undefined,
      });
    },
  });
  return found;
}

/** The lines of a page, its head included. */
const linesOf = (file: string, source: string): ContentText[] =>
  source.split('\n').map((text, index) => ({ file, line: index + 1, path: '', text }));
