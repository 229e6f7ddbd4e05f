import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { asText } from '../../model/phrase.ts';
import type { Content } from '../../server/content/content.ts';
import { isTaken } from '../../server/content/languages/read-languages.ts';
import { languagesFolder } from '../../server/content/languages/read-po.ts';
import { isCanonicalTag, languageName, ownNameOf } from '../../server/content/languages/tags.ts';
import { writeNewPo } from '../../server/content/languages/write-po.ts';
import { CommandFailed, UsageError } from '../command.ts';
import { print, remark, styled } from '../terminal.ts';
import { writeLanguageFile } from './language-file.ts';

/** Writes a file for a new language. @returns the exit code */
export async function addLanguage(content: Content, tag: string): Promise<number> {
  const { site, sentences, ownPages, folder } = content;
  refuseTag(tag);
  if (tag.toLowerCase() === site.language.tag.toLowerCase())
    throw new CommandFailed(`${tag} is the language of the site itself.`);
  if (isTaken(tag, { original: site.language, pages: ownPages }))
    throw new CommandFailed(`/${tag.toLowerCase()} is the address of something else on this site.`);
  const path = join(folder, languagesFolder, `${tag}.po`);
  // Files beyond the largest number are not among the languages that were read.
  if (existsSync(path) || content.languages.some((one) => one.tag.toLowerCase() === tag.toLowerCase()))
    throw new CommandFailed(
      `${path} is there already, and stays as it is. To bring it up to date: awhina languages update ${tag}`,
    );
  const name = ownNameOf(tag);
  const organisation = asText(site.organisation);
  await writeLanguageFile(
    path,
    writeNewPo({ tag, name, original: site.language.tag, organisation }, sentences),
  );

  print(`${styled('green', `${path} is ready for a translator:`)} ${sentences.length} sentences${describeName(tag, name)}.

What comes next (docs/languages.md says more):
  1. A translator fills it in, with Poedit, Weblate or a text editor. Not a machine.
  2. Look at the pages: set PREVIEW_LANGUAGES=${tag}, start the site again and open /${tag.toLowerCase()}
  3. A second reader reads all of them there. Then say who that was: awhina languages confirm ${tag} --by NAME
     From then on visitors are offered the language.
awhina languages says how far it is.`);
  if (languageName(tag, 'en') === '') remark(`\nWe know no language with the tag ${tag}. Is it right?`);
  if (name === '') remark(`\nAt X-Name in its head, write what the language calls itself: we do not know.`);
  return 0;
}

/** @throws {UsageError} with the tag that was most likely meant */
function refuseTag(tag: string): void {
  if (isCanonicalTag(tag)) return;
  const meant = canonicalTag(tag.replaceAll('_', '-'));
  throw new UsageError(
    meant
      ? `The tag is written ${meant}: awhina languages add ${meant}`
      : `${tag} is not the tag of a language, such as mi, sm or zh-Hans. https://r12a.github.io/app-subtags finds them.`,
  );
}

function canonicalTag(tag: string): string | null {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag);
    return isCanonicalTag(canonical) ? canonical : null;
  } catch {
    return null;
  }
}

/** In English too, so that a wrong tag is noticed. */
function describeName(tag: string, ownName: string): string {
  const english = languageName(tag, 'en');
  return english === ''
    ? ''
    : ` to put into ${english}${ownName && ownName !== english ? ` (${ownName})` : ''}`;
}
