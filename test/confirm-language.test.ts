import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
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

test('confirm shows each choice and each emergency sentence beside its original, and stores who has read it', async () => {
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
