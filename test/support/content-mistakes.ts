import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BadContent, readContent } from '../../src/server/content/content.ts';
import { temporaryFolder } from './temporary.ts';

/** A mistake that a volunteer makes in a file of the content, and the one sentence that names it. */
export interface ContentMistake {
  mistake: string;
  /** Otherwise site.yaml. */
  file?: string;
  /** The text in the shipped file, otherwise the line of the hours; and what somebody made of it. */
  was?: string | RegExp;
  became: string;
  /** The beginning of the line that is named, unless it is the first of those that somebody made. */
  on?: string;
  says: string;
}

/** One test a mistake: nothing of the parser's own words is shown, and nothing that only follows from the mistake. */
export function testMistakes(mistakes: readonly ContentMistake[]): void {
  test.each(mistakes)('$mistake', async ({ file = 'site.yaml', was = /^hours: .*/m, became, on, says }) => {
    const folder = await copyContent();
    const path = join(folder, file);
    const before = await readFile(path, 'utf8');
    const after = before.replace(was, became);
    expect(after, `${file} has no ${was}`).not.toBe(before);
    await writeFile(path, after);
    const named = on ?? became.split('\n', 1).join();
    const line = after.split('\n').findIndex((text) => text.startsWith(named)) + 1;
    expect(line, `${file} has no line ${named}`).toBeGreaterThan(0);
    expect(await problemsOf(folder)).toEqual([`  ${file}:${line}  ${says}`]);
  });
}

/** The example's content without its translations. */
export async function copyContent(): Promise<string> {
  const folder = temporaryFolder();
  await cp('content', folder, { recursive: true, filter: (path) => !/(rendered|languages)$/.test(path) });
  // Two defaults that a trust may reword.
  const path = join(folder, 'site.yaml');
  const site = (await readFile(path, 'utf8'))
    .replace('discreetTitles: false\n', 'discreetTitles: false\ndiscreetTitle: Welcome\n')
    .replace(/^cover:\n.*\n/m, '$&  photo: family\n');
  await writeFile(path, site);
  return folder;
}

export async function problemsOf(folder: string): Promise<string[]> {
  const error = await readContent(folder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(BadContent);
  return (error as BadContent).message.split('\n').slice(1);
}
