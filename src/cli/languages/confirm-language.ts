import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asText } from '../../model/phrase.ts';
import { type Content, describeProblem } from '../../server/content/content.ts';
import {
  type Confirmations,
  confirmationsFile,
  fingerprintOf,
  nameKey,
  readConfirmations,
  writeConfirmations,
} from '../../server/content/languages/confirmations.ts';
import { isChoice, keyOf } from '../../server/content/languages/gather-sentences.ts';
import { languagesFolder, readPoFile } from '../../server/content/languages/read-po.ts';
import { isCalled, matchTranslations } from '../../server/content/languages/translations.ts';
import { readTranslated } from '../../server/content/languages/update-po.ts';
import { terminalSafe } from '../../server/delivery/letter/printable.ts';
import { nzDay } from '../../server/time/nz-time.ts';
import { CommandFailed, UsageError } from '../command.ts';
import { print, remark, styled, withTerminal } from '../terminal.ts';
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
  const { words, changed, confirmations } = await composeConfirmation(content, tag, reader);
  for (const line of describeWords(content, language.name, { words, changed })) print(terminalSafe(line));
  const left = content.sentences.length - words.size;
  if (left > 0)
    print(`${left} other sentences stay in ${site.language.name}: awhina check says if any is wrong.`);
  if (!yes && !(await ask(tag, reader))) {
    print('Nothing was confirmed.');
    return 1;
  }
  await writeLanguageFile(join(folder, confirmationsFile), writeConfirmations(confirmations));
  print(styled('green', terminalSafe(`${language.name} (${tag}) is confirmed by ${reader}.`)));
  return 0;
}

/** All confirmations with the new one, the translations that it confirms, by key, and the keys that it confirms anew. */
export async function composeConfirmation(
  { folder, sentences, languages }: Content,
  tag: string,
  by: string,
) {
  const file = `${languagesFolder}/${tag}.po`;
  const [read, before] = [await readPoFile(folder, `${tag}.po`), await readConfirmations(folder)];
  if (!read.ok || !before.ok) {
    const problems = [read, before].flatMap((one) => (one.ok ? [] : one.problems));
    throw new CommandFailed(terminalSafe(problems.map((one) => describeProblem(one)).join('\n')));
  }
  const words = matchTranslations(sentences, read.value.entries, file).usable;
  const name = languages.find((one) => one.tag === tag)?.name ?? tag;
  // Those that are set aside come back with the trust's earlier words, and were read then.
  const earlier = before.value[tag]?.sentences.split(' ') ?? [];
  const inFile = readTranslated(await readFile(join(folder, file), 'utf8')).entries.map(
    ({ msgctxt = '', msgid, msgstr }) => fingerprintOf(keyOf(msgctxt, msgid), msgstr[0] ?? ''),
  );
  const confirmed = [[nameKey, name] as const, ...words].map(([key, translation]) =>
    fingerprintOf(key, translation),
  );
  const prints = new Set([...confirmed, ...earlier.filter((one) => inFile.includes(one))]);
  const confirmation = { by, on: nzDay(new Date()), sentences: [...prints].join(' ') };
  const confirmations: Confirmations = { ...before.value, [tag]: confirmation };
  const isNew = ([key, translation]: [string, string]) => !earlier.includes(fingerprintOf(key, translation));
  const changed = earlier.length > 0 ? [...words].filter(isNew).map(([key]) => key) : [];
  return { words, changed: new Set(changed), confirmations };
}

/** Each choice, each sentence with a number to call, and what has changed, beside its original. */
function describeWords(
  { sentences, site }: Content,
  name: string,
  { words, changed }: { words: ReadonlyMap<string, string>; changed: ReadonlySet<string> },
): string[] {
  const beside = (wanted: (context: string, text: string) => boolean) =>
    sentences
      .filter(({ context, text }) => wanted(context, text))
      .flatMap(({ context, text }) => {
        const translation = words.get(keyOf(context, text));
        const shown = translation === undefined ? `(in ${site.language.name})` : asText(translation);
        return [`  ${asText(text)}`, `      ${shown}`];
      });
  const isChanged = (context: string, text: string) => changed.has(keyOf(context, text));
  return [
    `The language calls itself: ${name}`,
    '',
    'In danger, and helplines:',
    ...beside(isCalled),
    '',
    'Choices:',
    ...beside(isChoice),
    '',
    ...(changed.size > 0 ? ['New since it was last confirmed:', ...beside(isChanged), ''] : []),
  ];
}

async function ask(tag: string, by: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(
      `There is no terminal to ask on. If ${terminalSafe(by)} has read every page: awhina languages confirm ${tag} --by NAME --yes`,
    );
  remark('Each must say the same as the line above it: no more, no less, and not that of another choice.');
  const question = `Has ${terminalSafe(by)} read these, and every page in this language? Type yes: `;
  const answer = await withTerminal('Nothing was confirmed.', (terminal) => terminal.question(question));
  return answer.trim().toLowerCase() === 'yes';
}
