import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { asText } from '../src/model/phrase.ts';
import { readContent } from '../src/server/content/content.ts';
import { awhinaShared } from './support/command.ts';
import { writePseudoLanguage } from './support/pseudo-language.ts';
import { temporaryFolder } from './support/temporary.ts';

function makeContent(): string {
  const folder = join(temporaryFolder(), 'content');
  mkdirSync(folder);
  const site = 'organisation: Sample Trust\nemail: kiaora@sample.example\naddress: 1 Example Street\n';
  writeFileSync(join(folder, 'site.yaml'), site);
  return folder;
}

const languages = (contentDir: string, ...args: string[]) =>
  awhinaShared(['languages', ...args], { CONTENT_DIR: contentDir });
const pathOf = (folder: string, tag: string) => join(folder, `languages/${tag}.po`);

test('confirm shows translations beside their originals, and stores who has read them', async () => {
  const folder = makeContent();
  await writePseudoLanguage(folder, 'en-XA', {
    isConfirmed: false,
    change: ({ context, text }, translation) => {
      if (text === 'Mornings') return { translation: 'Éṽéñíñğš' };
      if (text === 'Evenings') return { translation: 'Ṁóŕñíñğš' };
      return context === 'helplines:text' ? null : { translation };
    },
  });
  const path = join(folder, 'languages/confirmed.yaml');
  const asked = await languages(folder, 'confirm', 'en-XA', '--by', 'A. Speaker');
  expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('There is no terminal to ask on') });
  expect(existsSync(path)).toBe(false);
  // Two labels that changed places: only a person can see it.
  expect(asked.out).toContain('  Mornings\n      Éṽéñíñğš\n');
  expect(asked.out).toContain('  Evenings\n      Ṁóŕñíñğš\n');
  expect(asked.out).toContain('  Text {number}\n      (in English)\n');
  expect(asked.out).toContain('in danger, call 111 now.\n      ÍÌf ýóòúù');

  const { out, code } = await languages(folder, 'confirm', 'en-XA', '--by', ' A. Speaker ', '--yes');
  expect(code).toBe(0);
  expect(out).toContain(
    'Åççéñţš (en-XA) is confirmed by A. Speaker.\nIt is not offered to visitors yet:\n  1 of ',
  );
  expect(readFileSync(path, 'utf8')).toMatch(
    /^# Who has read which[\s\S]*\nen-XA:\n {2}by: A\. Speaker\n {2}on: \d{4}-\d\d-\d\d\n {2}sentences: /,
  );
  expect(statSync(path).mode & 0o777).toBe(0o644);
  await writePseudoLanguage(folder, 'en-XA', { isConfirmed: false });
  const again = await languages(folder, 'confirm', 'en-XA', '--by', 'B. Speaker', '--yes');
  expect(again.out).toMatch(/\nNew since it was last confirmed:\n(.+\n){6}\n/);
  expect(again.out).toContain('(en-XA) is confirmed by B. Speaker.\nVisitors see it from now on.\n');
  expect((await languages(folder, 'update')).code).toBe(0);
  expect(JSON.parse((await languages(folder, '--json')).out)[0]).toMatchObject({ offered: true });
});

test('confirm shows every vital sentence, and each question above its choices', async () => {
  const folder = makeContent();
  await writePseudoLanguage(folder, 'en-XA', { isConfirmed: false });
  const { sentences } = await readContent(folder);
  const { out } = await languages(folder, 'confirm', 'en-XA', '--by', 'A. Speaker', '--yes');
  const originals = out.split('\n').filter((line) => /^ {2}\S/.test(line));
  const vital = sentences.filter(({ isNeeded }) => isNeeded).map(({ text }) => `  ${asText(text)}`);
  expect(vital.filter((line) => !originals.includes(line))).toEqual([]);
  expect(out).toMatch(/\n {2}The kind of help you need\n {6}\S.*\n {2}\S/);
});

test('confirm shows what somebody has changed in Easy words, and takes our own words for read', async () => {
  const folder = join(temporaryFolder(), 'content');
  cpSync('content', folder, { recursive: true });
  const path = pathOf(folder, 'en-NZ-x-easy');
  const easy = readFileSync(path, 'utf8');
  const changed = easy.replace(
    /(msgctxt "help:SafeContact.displayName"\nmsgid .*\nmsgstr ).*/,
    '$1"A way that is NOT safe for you"',
  );
  expect(changed).not.toBe(easy);
  writeFileSync(path, changed);
  const { out } = await languages(folder, 'confirm', 'en-NZ-x-easy', '--by', 'A. Speaker', '--yes');
  expect(out).toMatch(/\nNew since it was last confirmed:\n {2}.+\n {6}A way that is NOT safe for you\n\n/);
  expect(out).toContain('How to reach somebody, privacy and the receipt:\n');
});

test('two people who confirm two languages at once are both heard', async () => {
  const folder = makeContent();
  await writePseudoLanguage(folder, 'en-XA', { isConfirmed: false });
  await writePseudoLanguage(folder, 'ar-XB', { isConfirmed: false });
  const command = `exec ${process.execPath} src/cli/awhina.ts languages confirm en-XA --by Sample`;
  const terminal = spawn('script', ['-qefc', command, '/dev/null'], {
    env: { PATH: process.env.PATH, CONTENT_DIR: folder },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void terminal.kill('SIGKILL'));
  let shown = '';
  while (!shown.includes('Type yes: ')) shown += `${(await once(terminal.stdout, 'data'))[0]}`;
  expect((await languages(folder, 'confirm', 'ar-XB', '--by', 'A. Speaker', '--yes')).code).toBe(0);
  terminal.stdin.write('yes\n');
  expect(await text(terminal.stdout)).toContain('Visitors see it from now on.');
  expect(JSON.parse((await languages(folder, '--json')).out)).toMatchObject([
    { tag: 'ar-XB', offered: true },
    { tag: 'en-XA', offered: true },
  ]);
});

test('confirm without a name, or of a file that is not there or damaged, stores nothing', async () => {
  const folder = makeContent();
  await languages(folder, 'add', 'mi');
  writeFileSync(pathOf(folder, 'sm'), 'no PO file');
  for (const [args, code, message] of [
    [['mi'], 2, 'Say who has read it: awhina languages confirm mi --by NAME'],
    [['mi', '--by', '  '], 2, 'Say who has read it'],
    [['fr', '--by', 'X', '--yes'], 1, 'To begin one: awhina languages add fr'],
    [['sm', '--by', 'X', '--yes'], 1, 'sm cannot be confirmed: the file cannot be read as a PO file'],
  ] as const)
    expect(await languages(folder, 'confirm', ...args)).toMatchObject({
      code,
      err: expect.stringContaining(message),
    });
  expect((await languages(folder, 'update', '--yes')).code).toBe(2);
  expect(readdirSync(join(folder, 'languages'))).toEqual(['mi.po', 'sm.po']);
});
