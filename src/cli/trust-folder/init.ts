import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { phoneNumber, words } from '../../server/content/words.ts';
import { type Command, CommandFailed, onlyOne, UsageError } from '../command.ts';
import { print, styled, withTerminal } from '../terminal.ts';
import { commandPath } from './command-path.ts';
import { translationFiles } from './translation-files.ts';
import { type Trust, trustFiles } from './trust-folder.ts';

const questions: Record<keyof Trust, { ask: string; schema: z.ZodType<string> }> = {
  name: { ask: 'The name of your trust', schema: words },
  email: { ask: 'Its e-mail address, as visitors see it', schema: z.email('expected one e-mail address') },
  phone: {
    ask: 'Its telephone number, or nothing',
    schema: z.literal('').or(phoneNumber),
  },
  address: { ask: 'Where it can be found, in one line', schema: words },
};
const names = Object.keys(questions) as (keyof Trust)[];

export const init: Command = {
  summary: 'make a folder for a trust: its words, its settings, and what to do next',
  usage: `awhina init FOLDER [--name NAME] [--email ADDRESS] [--phone NUMBER] [--address PLACE]

  Asks on a terminal for what is not given. A file that already exists stays as it is.`,

  async run(args) {
    const option = { type: 'string' } as const;
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { name: option, email: option, phone: option, address: option },
    });
    const folder = onlyOne(positionals, 'awhina init needs one folder, such as: awhina init our-website');

    // The server may run as another user, who must be able to read the content. The settings hold passwords: 0600, below.
    process.umask(0o022);
    const trust = process.stdin.isTTY ? await askForTrust(values) : readOptions(values);
    const write = (files: Record<string, string>) => {
      for (const [file, text] of Object.entries(files))
        if (!writeIfMissing(join(folder, file), text)) print(`${file} already exists, and stays as it is.`);
    };
    write(trustFiles(trust));
    write(await translationFiles(join(folder, 'content')));
    print(`${styled('green', `${resolve(folder)} is ready.`)} Its README.md says what is where. To see the site:

  cd ${folder}
  ${commandPath} start`);
    return 0;
  },
};

/** Null where nothing is wrong with the answer. */
function problemWith(name: keyof Trust, answer: string): string | null {
  return questions[name].schema.safeParse(answer.trim()).error?.issues[0]?.message ?? null;
}

function readOptions(given: Partial<Trust>): Trust {
  const trust = { phone: '', ...given };
  const problems = names.flatMap((name) => {
    const answer = trust[name];
    const problem = answer === undefined ? 'is missing' : problemWith(name, answer);
    return problem === null ? [] : `--${name}: ${problem}`;
  });
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return trimmed(trust as Trust);
}

async function askForTrust(given: Partial<Trust>): Promise<Trust> {
  const trust: Partial<Trust> = { ...given };
  await withTerminal('Nothing was written.', async (terminal) => {
    for (const name of names) {
      const ask = () => terminal.question(`${questions[name].ask}: `);
      let answer = given[name] ?? (await ask());
      for (let problem = problemWith(name, answer); problem !== null; problem = problemWith(name, answer)) {
        print(`  ${problem}`);
        answer = await ask();
      }
      trust[name] = answer;
    }
  });
  return trimmed(trust as Trust);
}

const trimmed = (trust: Trust): Trust =>
  Object.fromEntries(names.map((name) => [name, trust[name].trim()])) as unknown as Trust;

/** @returns false if the file exists, which then stays as it is */
function writeIfMissing(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx', mode: path.endsWith('.env') ? 0o600 : 0o644 });
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw new CommandFailed(`${path} could not be written (${(cause as NodeJS.ErrnoException).code}).`, {
      cause,
    });
  }
}
