import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asText } from '../../model/phrase.ts';
import { type Content, describeProblem } from '../../server/content/content.ts';
import {
  type Confirmation,
  confirmationsFile,
  fingerprintOf,
  nameKey,
  readConfirmations,
  writeConfirmations,
} from '../../server/content/languages/confirmations.ts';
import { isChoice, keyOf } from '../../server/content/languages/gather-sentences.ts';
import { languagesFolder, readPoFile } from '../../server/content/languages/read-po.ts';
import type { Sentence } from '../../server/content/languages/sentences.ts';
import { readConfirmedShipped } from '../../server/content/languages/shipped-languages.ts';
import { isCalled, matchTranslations } from '../../server/content/languages/translations.ts';
import { readTranslated } from '../../server/content/languages/update-po.ts';
import type { ReadResult } from '../../server/content/read-yaml.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import { nzDay } from '../../server/time/nz-time.ts';
import { CommandFailed, UsageError } from '../command.ts';
import { askForYes, print, remark, styled } from '../terminal.ts';
import { writeLanguageFile } from './language-file.ts';

interface Confirming {
  by: string | undefined;
  /** Do not ask first. */
  yes: boolean;
}

/** Shows what matters most of a translation, and stores who has read it. @returns the exit code */
export async function confirmLanguage(
  content: Content,
  tag: string,
  { by = '', yes }: Confirming,
): Promise<number> {
  const { folder, languages, site } = content;
  const reader = by.trim();
  if (!reader) throw new UsageError(`Say who has read it: awhina languages confirm ${tag} --by NAME`);
  const language = languages.find((one) => one.tag === tag);
  if (!language?.content)
    throw new CommandFailed(
      language
        ? terminalSafe(`${tag} cannot be confirmed: ${language.notOffered.join('; ')}`)
        : `There is no ${join(folder, languagesFolder, `${tag}.po`)}. To begin one: awhina languages add ${tag}`,
    );
  const { words, changed, confirmation } = await composeConfirmation(content, tag, reader);
  for (const line of describeWords(content, language.name, { words, changed })) print(terminalSafe(line));
  const left = content.sentences.filter(({ context, text }) => !words.has(keyOf(context, text))).length;
  if (left > 0)
    print(`${left} other sentences stay in ${site.language.name}: awhina check says if any is wrong.`);
  if (!yes && !(await ask(tag, reader))) return 1;
  await storeConfirmation(folder, tag, confirmation);
  print(styled('green', terminalSafe(`${language.name} (${tag}) is confirmed by ${reader}.`)));
  return 0;
}

/** The confirmation, the translations that visitors will see, by key, and the keys that it confirms anew. */
export async function composeConfirmation(
  { folder, sentences, languages }: Content,
  tag: string,
  by: string,
) {
  const file = `${languagesFolder}/${tag}.po`;
  const { entries } = orFail(await readPoFile(folder, `${tag}.po`));
  const before = orFail(await readConfirmations(folder));
  const own = matchTranslations(sentences, entries, file).usable;
  const shipped = readConfirmedShipped(`${tag}.po`)?.words ?? new Map<string, string>();
  const name = languages.find((one) => one.tag === tag)?.name ?? tag;
  // Those that are set aside come back with the trust's earlier words, and were read then.
  const earlier = before[tag]?.sentences.split(' ') ?? [];
  const inFile = readTranslated(await readFile(join(folder, file), 'utf8')).entries.map(
    ({ msgctxt = '', msgid, msgstr }) => fingerprintOf(keyOf(msgctxt, msgid), msgstr[0] ?? ''),
  );
  const confirmed = [[nameKey, name] as const, ...own].map(([key, translation]) =>
    fingerprintOf(key, translation),
  );
  const prints = new Set([...confirmed, ...earlier.filter((one) => inFile.includes(one))]);
  const confirmation: Confirmation = { by, on: nzDay(new Date()), sentences: [...prints].join(' ') };
  const isNew = ([key, translation]: [string, string]) =>
    shipped.get(key) !== translation && !earlier.includes(fingerprintOf(key, translation));
  const changed = earlier.length + shipped.size > 0 ? [...own].filter(isNew).map(([key]) => key) : [];
  return { words: new Map([...shipped, ...own]), changed: new Set(changed), confirmation };
}

/** Reads the others again: while this one was read, somebody may have confirmed another language. */
export async function storeConfirmation(
  folder: string,
  tag: string,
  confirmation: Confirmation,
): Promise<void> {
  const others = orFail(await readConfirmations(folder));
  await writeLanguageFile(
    join(folder, confirmationsFile),
    writeConfirmations({ ...others, [tag]: confirmation }),
  );
}

/** @throws {CommandFailed} with what is wrong in the file */
function orFail<T>(read: ReadResult<T>): T {
  if (read.ok) return read.value;
  throw new CommandFailed(terminalSafe(read.problems.map((one) => describeProblem(one)).join('\n')));
}

/** What has changed, and each vital sentence and each choice with its question, beside its original. */
function describeWords(
  { sentences, site }: Content,
  name: string,
  { words, changed }: { words: ReadonlyMap<string, string>; changed: ReadonlySet<string> },
): string[] {
  const beside = (wanted: (sentence: Sentence) => boolean) =>
    sentences.filter(wanted).flatMap(({ context, text }) => {
      const translation = words.get(keyOf(context, text));
      const shown = translation === undefined ? `(in ${site.language.name})` : asText(translation);
      return [`  ${asText(text)}`, `      ${shown}`];
    });
  const questionOf = (context: string) => context.replace(/\.(displayName|description|choices)\b.*/, '');
  const withChoices = new Set(
    sentences.flatMap(({ context }) => (isChoice(context) ? questionOf(context) : [])),
  );
  const isOfChoice = ({ context }: Sentence) => withChoices.has(questionOf(context));
  return [
    `The language calls itself: ${name}`,
    '',
    'In danger, and helplines:',
    ...beside(({ context }) => isCalled(context)),
    '',
    'How to reach somebody, privacy and the receipt:',
    ...beside((one) => one.isNeeded && !isCalled(one.context) && !isOfChoice(one)),
    '',
    'Questions and their choices:',
    ...beside(isOfChoice),
    '',
    ...(changed.size > 0
      ? [
          'New since it was last confirmed:',
          ...beside((one) => changed.has(keyOf(one.context, one.text))),
          '',
        ]
      : []),
  ];
}

function ask(tag: string, by: string): Promise<boolean> {
  const reader = terminalSafe(by);
  if (process.stdin.isTTY)
    remark('Each must say the same as the line above it: no more, no less, and not that of another choice.');
  const question = `Has ${reader} read these, and every page in this language?`;
  const how = `If ${reader} has read every page: awhina languages confirm ${tag} --by NAME --yes`;
  return askForYes(question, 'Nothing was confirmed.', how);
}
