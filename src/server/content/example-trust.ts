import { asText } from '../../model/phrase.ts';
import { BadContent } from './content.ts';
import type { ContentProblem } from './read-yaml.ts';
import { readWrittenWords, type WrittenWords } from './written-words.ts';

/**
 * What ships is the site of a trust that does not exist. On a public site its name would be a lie, and its addresses
 * ones where nobody reads what a person in danger writes.
 */
const examples = [
  /Kōwhai Family Support Centre/iu,
  /12 Example Street/iu,
  /0800 000 000/u,
  // Nobody can have such an address (RFC 2606).
  /[\w.+-]+@[\w.-]+\.example\b/iu,
  /https?:\/\/[\w.-]+\.example\b/iu,
];

export function findExamples(words: readonly WrittenWords[]): ContentProblem[] {
  return words.flatMap(({ file, line, path, text }) => {
    const found = examples.map((example) => example.exec(asText(text))?.[0]).find(Boolean);
    if (!found) return [];
    const where = path ? `${path.replaceAll('.', ' › ')}: ` : '';
    return [{ file, line, message: `${where}“${found}” is the example's: put your own in its place` }];
  });
}

const testHosts = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a site is one that nobody but who tries it out can come to. */
export function isForTests(publicUrl: string): boolean {
  const { hostname } = new URL(publicUrl);
  return testHosts.includes(hostname) || /\.(example|test|localhost)$/.test(hostname);
}

/** @throws {BadContent} where the site is public and still says it is the example. */
export async function refuseExamples(folder: string, publicUrl: string | undefined): Promise<void> {
  if (publicUrl === undefined || isForTests(publicUrl)) return;
  const problems = findExamples(await readWrittenWords(folder));
  if (problems.length > 0) throw new BadContent(problems);
}
