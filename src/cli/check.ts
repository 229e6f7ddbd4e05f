import { parseArgs } from 'node:util';
import { BadContent, type Content, describeProblem, readContent } from '../server/content/content.ts';
import { findContentNotes } from '../server/content/content-notes.ts';
import { refuseExamples } from '../server/content/example-trust.ts';
import { BadSettings, findContentDir, readSettings, type Settings } from '../server/settings.ts';
import { findDatabaseWarnings } from './check-database.ts';
import { describeChoices, findWarnings } from './check-warnings.ts';
import type { Command } from './command.ts';
import { print, styled } from './terminal.ts';

export const check: Command = {
  summary: 'whether the content, the settings and the database are right, without starting anything',
  usage: 'awhina check',

  async run(args) {
    parseArgs({ args, options: {} });
    const content = await attempt<Content>(() => readContent(findContentDir()), BadContent);
    const settings = await attempt<Settings>(async () => readSettings(), BadSettings);
    const example = await attempt(async () => {
      if (content.value && settings.value)
        await refuseExamples(settings.value.contentDir, settings.value.publicUrl);
    }, BadContent);
    for (const { problem } of [content, settings, example]) if (problem) print(styled('red', problem));
    if (!content.value || !settings.value || example.problem) return 1;

    const now = new Date();
    const warnings = [
      ...findWarnings(settings.value, content.value, now),
      ...(await findContentNotes(settings.value.contentDir, content.value)).map(describeProblem),
      ...(await findDatabaseWarnings(settings.value, now)),
    ];
    print(styled('green', 'The content and the settings are right.'));
    const choices = describeChoices(content.value);
    if (choices.length > 0) print('\nHow the choices are understood:');
    for (const choice of choices) print(`  ${choice}`);
    if (warnings.length > 0) print('');
    for (const warning of warnings) print(`${styled('yellow', 'Note:')} ${warning}`);
    return 0;
  },
};

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
