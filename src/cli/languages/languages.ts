import { parseArgs } from 'node:util';
import { BadContent, type Content, describeProblem, readContent } from '../../server/content/content.ts';
import type { LanguageFile } from '../../server/content/languages/translated-content.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import { findFolders } from '../../server/settings/settings.ts';
import { type Command, CommandFailed, onlyOne, UsageError } from '../command.ts';
import { print, printJson, remark, styled, table } from '../terminal.ts';
import { addLanguage } from './add-language.ts';
import { confirmLanguage } from './confirm-language.ts';
import { updateLanguages } from './update-languages.ts';

export const languages: Command = {
  summary:
    'the languages of the site: how far each is, and which are offered; add begins one, confirm offers it, update brings them up to date',
  usage: `awhina languages [--json]
awhina languages add TAG
awhina languages confirm TAG --by NAME [--yes]
awhina languages update [TAG...]

  add TAG      write content/languages/TAG.po, with every sentence of the site for a translator. TAG is the language's tag:
               mi (Māori), sm (Samoan), to (Tongan), zh-Hans (Chinese, simplified), hi (Hindi), ar (Arabic)
  confirm TAG  say that NAME has read the translation. It shows each vital sentence, and each question with its choices, beside its
               original, and asks; --yes does not ask, for scripts. Visitors see the language from then on. A sentence that changes is
               confirmed again: until then it is shown in your own words
  update       bring every file up to date with the words of the site: new sentences come in empty, changed ones are marked
               as fuzzy with their earlier words, gone ones are set aside at the end. What is translated stays
  update TAG   only this file
  --json       for programs, with every problem`,

  async run(args) {
    const options = { json: { type: 'boolean' }, by: { type: 'string' }, yes: { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [action, ...tags] = positionals;
    if (action !== undefined && values.json) throw new UsageError('--json goes with awhina languages alone');
    if (action === 'confirm') {
      const tag = onlyOne(tags, 'Say which language: awhina languages confirm mi --by NAME');
      return confirm(tag, { by: values.by, yes: values.yes ?? false });
    }
    if (values.by !== undefined || values.yes)
      throw new UsageError('--by and --yes go with awhina languages confirm alone');
    if (action === 'add') {
      const tag = onlyOne(tags, 'Say which language: awhina languages add mi');
      return addLanguage(await readOriginal(), tag);
    }
    if (action === 'update') return updateLanguages(await readOriginal(), tags);
    if (action !== undefined) throw new UsageError(`There is no awhina languages ${action}.`);
    return list(await readOriginal(), values.json ?? false);
  },
};

async function confirm(tag: string, how: { by: string | undefined; yes: boolean }): Promise<number> {
  const code = await confirmLanguage(await readOriginal(), tag, how);
  const { notOffered = [] } = (await readOriginal()).languages.find((one) => one.tag === tag) ?? {};
  if (code === 0)
    print(
      terminalSafe(
        notOffered.length > 0
          ? `It is not offered to visitors yet:\n${notOffered.map((why) => `  ${why}`).join('\n')}`
          : 'Visitors see it from now on.',
      ),
    );
  return code;
}

async function readOriginal(): Promise<Content> {
  try {
    return await readContent(findFolders().contentDir);
  } catch (error) {
    // The sentences of content that is broken are not known.
    if (error instanceof BadContent) throw new CommandFailed(error.message, { cause: error });
    throw error;
  }
}

function list({ languages: found, languageProblems }: Content, json: boolean): number {
  if (json) {
    printJson(found.map(({ content, ...language }) => ({ ...language, offered: isOffered(language) })));
    return 0;
  }
  for (const problem of languageProblems) remark(styled('red', describeProblem(problem)));
  if (found.length === 0) {
    print('The site is in one language. To begin a translation: awhina languages add mi');
    return 0;
  }
  const rows = found.map((language) => [
    language.tag,
    language.name,
    ...[language.translated, language.stale, language.missing].map(String),
    describeCheck(language),
    isOffered(language) ? 'yes' : 'no',
  ]);
  const head = ['LANGUAGE', 'OWN NAME', 'TRANSLATED', 'STALE', 'MISSING', 'CHECKED', 'OFFERED'];
  print(
    table(
      head,
      rows,
      found.map((one) => (isOffered(one) ? 'reset' : 'yellow')),
    ),
  );
  for (const { tag, notOffered } of found.filter((one) => !isOffered(one)))
    print(
      terminalSafe(`\n${tag} is not offered to visitors:\n${notOffered.map((why) => `  ${why}`).join('\n')}`),
    );
  for (const { tag, unconfirmed } of found.filter((one) => isOffered(one) && one.unconfirmed > 0))
    remark(
      `\n${tag}: ${unconfirmed} translations are not shown until somebody has read them: awhina languages confirm ${tag} --by NAME`,
    );
  // An incomplete head, in the first line, is told above.
  if (found.some(({ problems }) => problems.some(({ line }) => line !== 1)))
    remark('\nawhina check names each mistake with its line.');
  if (found.some(({ stale }) => stale > 0))
    remark(
      '\nStale: the words of the site have changed since. awhina languages update shows translators which.',
    );
  return 0;
}

const isOffered = ({ notOffered }: Pick<LanguageFile, 'notOffered'>): boolean => notOffered.length === 0;

const describeCheck = ({ checked }: LanguageFile) => (checked ? `${checked.on}, ${checked.by}` : '–');
