import { constants, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { BadContent, type Content, describeProblem, readContent } from '../../server/content/content.ts';
import { findContentNotes } from '../../server/content/content-notes.ts';
import { refuseExamples } from '../../server/content/example-trust.ts';
import { createLastGoodContent } from '../../server/content/last-good-content.ts';
import { refuseLongClosures } from '../../server/content/long-closures.ts';
import { isAllowed } from '../../server/files/access.ts';
import { BadSettings, findFolders, readSettings, type Settings } from '../../server/settings/settings.ts';
import { describeForeignFiles, findForeignFiles } from '../../server/start/foreign-files.ts';
import { explainDataDir } from '../../server/start/start-problems.ts';
import type { Command } from '../command.ts';
import { print, styled } from '../terminal.ts';
import { describeClosures, findClosureNotes, findHolidayNotes } from './check-closures.ts';
import { findDatabaseWarnings } from './check-database.ts';
import { describeLanguages, describeWithdrawal, findTranslationMistakes } from './check-languages.ts';
import { describeChoices, findWarnings } from './check-warnings.ts';
import { describeTexts } from './check-words.ts';

export const check: Command = {
  summary: 'check the content, the settings and the database, without starting anything',
  usage: 'awhina check',
  asOwner: true,

  async run(args) {
    parseArgs({ args, options: {} });
    const content = await attempt<Content>(() => readContent(findFolders().contentDir), BadContent);
    for (const line of content.value ? describeWithdrawal(content.value) : []) print(styled('red', line));
    const settings = await attempt<Settings>(async () => readSettings(), BadSettings);
    const refused = await attempt(async () => {
      if (!content.value || !settings.value) return;
      await refuseExamples(settings.value.contentDir, settings.value.publicUrl);
      refuseLongClosures(content.value, settings.value.unseenRetentionDays, new Date());
    }, BadContent);
    const folder = settings.value ? findFolderProblem(settings.value) : null;
    for (const problem of [content.problem, settings.problem, refused.problem, folder])
      if (problem) print(styled('red', problem));
    if (content.problem && settings.value) print(`\n${await describeShownContent(settings.value)}`);
    if (!content.value || !settings.value || refused.problem || folder) return 1;

    const now = new Date();
    const notes = await findContentNotes(content.value);
    const warnings = [
      ...(await findWarnings(settings.value, content.value, now)),
      ...notes.map((note) => describeProblem(note)),
      ...findClosureNotes(content.value, now),
      ...findHolidayNotes(now),
      ...describeTexts(content.value),
      ...(await findDatabaseWarnings(settings.value, now)),
    ];
    print(styled('green', 'The content and the settings are right.'));
    const mistakes = findTranslationMistakes(content.value).map((one) => styled('red', one));
    const sections: [heading: string, lines: string[]][] = [
      ['Not right in the translations, and not shown:', mistakes],
      ['Languages (awhina languages says more):', describeLanguages(content.value)],
      ['How the choices are understood:', describeChoices(content.value)],
      ['When you are closed:', describeClosures(content.value, now)],
    ];
    for (const [heading, lines] of sections)
      if (lines.length > 0) print([`\n${heading}`, ...lines.map((line) => `  ${line}`)].join('\n'));
    if (warnings.length > 0) print('');
    for (const warning of warnings) print(`${styled('yellow', 'Note:')} ${warning}`);
    return 0;
  },
};

/** What visitors see until the content is fixed. */
async function describeShownContent({ dataDir }: Settings): Promise<string> {
  return (await createLastGoodContent(dataDir).read())
    ? 'Until this is fixed the site shows the last content that was right, also after a restart.'
    : `There is no earlier correct content in ${dataDir}: a server that starts now stops with this.`;
}

/** Why the server could not use DATA_DIR. A folder of another user is judged by its files only: the server may run as that user. */
function findFolderProblem({ dataDir }: Settings): string | null {
  const found = statSync(dataDir, { throwIfNoEntry: false });
  const isOurs = found?.uid === 0 || found?.uid === process.getuid?.();
  if (found?.isDirectory() && isOurs && !isAllowed(dataDir, constants.W_OK | constants.X_OK))
    // A made-up error, for the sentence that the server prints when it finds the folder read-only.
    return explainDataDir({ code: 'EROFS', name: '', message: '' }) ?? null;
  return describeForeignFiles(dataDir, findForeignFiles(dataDir));
}

interface Attempt<T> {
  value?: T;
  problem?: string;
}

async function attempt<T>(
  read: () => Promise<T>,
  expected: typeof BadContent | typeof BadSettings,
): Promise<Attempt<T>> {
  try {
    return { value: await read() };
  } catch (error) {
    if (error instanceof expected) return { problem: error.message };
    throw error;
  }
}
