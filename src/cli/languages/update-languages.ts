import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Content, describeProblem } from '../../server/content/content.ts';
import { languagesFolder, listPoFiles, readPoFile } from '../../server/content/languages/read-po.ts';
import { readShipped } from '../../server/content/languages/shipped-languages.ts';
import { type UpdatedPo, updatePo } from '../../server/content/languages/update-po.ts';
import type { ContentProblem } from '../../server/content/read-yaml.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import { CommandFailed } from '../command.ts';
import { print, remark, styled } from '../terminal.ts';
import { writeLanguageFile } from './language-file.ts';

/**
 * Brings files up to date with the words of the site. A file that cannot be read stays as it is.
 *
 * @param tags of the files; all where there are none.
 * @returns the exit code
 */
export async function updateLanguages(
  { folder, sentences }: Content,
  tags: readonly string[],
): Promise<number> {
  const { names, problems } = await listPoFiles(folder);
  const tagOf = (name: string) => name.replace(/\.po$/i, '');
  const unknown = tags.find((tag) => !names.some((name) => tagOf(name) === tag));
  if (unknown !== undefined)
    throw new CommandFailed(
      `There is no ${join(folder, languagesFolder, `${unknown}.po`)}. To begin one: awhina languages add ${unknown}`,
    );
  if (names.length === 0) print('There is no translation to update. To begin one: awhina languages add mi');

  const broken: ContentProblem[] = [];
  let needsTranslator = false;
  for (const name of names.filter((one) => tags.length === 0 || tags.includes(tagOf(one)))) {
    const path = join(folder, languagesFolder, name);
    const read = await readPoFile(folder, name);
    if (!read.ok) {
      broken.push(...read.problems);
      continue;
    }
    const source = await readFile(path, 'utf8');
    const updated = updatePo(source, sentences, readShipped(name));
    if (updated.text !== source) await writeLanguageFile(path, updated.text);
    print(terminalSafe(`${tagOf(name)}: ${describeUpdate(updated, source)}`));
    needsTranslator ||= updated.added + updated.fuzzy > 0;
  }
  if (needsTranslator)
    remark(
      '\nNew sentences are empty. Changed ones have their old translation and the mark fuzzy ("Needs work" in Poedit), until a translator has gone through them.',
    );
  const wrong = [...broken, ...problems];
  for (const problem of wrong) remark(styled('red', terminalSafe(describeProblem(problem))));
  if (broken.length > 0) remark('A file that cannot be read stays as it is.');
  return wrong.length > 0 ? 1 : 0;
}

function describeUpdate(
  { text, added, fuzzy, returned, shipped, setAside }: UpdatedPo,
  source: string,
): string {
  if (text === source) return 'up to date';
  const parts = [
    added > 0 && `${added} new`,
    fuzzy > 0 && `${fuzzy} changed`,
    returned > 0 && `${returned} back with ${returned === 1 ? 'its translation' : 'their translations'}`,
    shipped > 0 && `${shipped} from our own file`,
    setAside > 0 && `${setAside} set aside`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : 'only the notes, the order or the lines have changed';
}
