import { BadContent } from './content.ts';
import { type ContentText, readContentTexts } from './content-texts.ts';
import { findExample } from './example-words.ts';
import type { ContentProblem } from './read-yaml.ts';

export function findExamples(texts: readonly ContentText[]): ContentProblem[] {
  return texts.flatMap(({ file, line, path, text }) => {
    const found = findExample(text);
    if (!found) return [];
    const where = path ? `${path.replaceAll('.', ' › ')}: ` : '';
    return [{ file, line, message: `${where}“${found}” is the example's: put your own in its place` }];
  });
}

const testHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only somebody who tries the site out can reach it. */
export function isForTests(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return testHosts.includes(hostname) || /\.(example|test|localhost)$/.test(hostname);
}

/** @throws {BadContent} where the site is public and still has words of the example. */
export async function refuseExamples(folder: string, publicUrl: string | undefined): Promise<void> {
  if (publicUrl === undefined || isForTests(publicUrl)) return;
  const problems = findExamples(await readContentTexts(folder));
  if (problems.length > 0) throw new BadContent(problems);
}
