import { cp, mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writePseudoLanguage } from '../../../test/support/pseudo-language.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { readContent } from './content.ts';
import { describeLastingFault, openContent } from './content-source.ts';
import { createLastGoodContent } from './last-good-content.ts';

async function prepare() {
  const folder = temporaryFolder();
  const [contentDir, dataDir] = [join(folder, 'content'), join(folder, 'data')];
  await mkdir(contentDir);
  const write = (organisation: string) =>
    writeFile(
      join(contentDir, 'site.yaml'),
      `organisation: ${organisation}\nemail: kiaora@sample.example\naddress: 1 Example Street\n`,
    );
  await write('Sample Trust');
  const lastGood = createLastGoodContent(dataDir);
  const save = async () => lastGood.save(await readContent(contentDir));
  const copies = () => readdir(join(dataDir, 'content'));
  return { contentDir, home: join(dataDir, 'content'), lastGood, save, copies, write };
}

test('the copy is what the folder was, and only the last one is stored', async () => {
  const { lastGood, save, copies, write } = await prepare();
  expect(await lastGood.read()).toBeNull();
  await save();
  await write('Another Trust');
  await save();
  expect(await copies()).toHaveLength(1);
  expect((await lastGood.read())?.site.organisation).toBe('Another Trust');
});

test('an unfinished copy is never served, and is erased', async () => {
  const { home, lastGood, save, copies } = await prepare();
  await save();
  const [copy = ''] = await copies();
  await rename(join(home, copy), join(home, `${copy}.part`));
  expect(await lastGood.read()).toBeNull();
  await save();
  expect(await copies()).toEqual([expect.stringMatching(/^t\d+$/)]);
});

test('of two copies the newer is served, and the older where the newer cannot be read', async () => {
  const { home, lastGood, save, copies } = await prepare();
  await save();
  const [copy = ''] = await copies();
  // The first is named by a hash, as in version 1.
  await cp(join(home, copy), join(home, 'fe11'), { recursive: true });
  await writeFile(
    join(home, 'fe11/site.yaml'),
    'organisation: Earlier\nemail: a@b.example\naddress: 1 Street\n',
  );
  const damaged = join(home, 't9999999999999');
  await cp(join(home, copy), damaged, { recursive: true });
  await writeFile(join(damaged, 'site.yaml'), 'organisation: [');
  expect((await lastGood.read())?.folder).toBe(join(home, copy));
});

test('content that changes while it is copied is not stored half old and half new', async () => {
  const { contentDir, lastGood, copies } = await prepare();
  const read = await readContent(contentDir);
  await writeFile(join(contentDir, 'site.yaml'), 'organisation: [');
  await expect(lastGood.save(read)).rejects.toThrow('The content is not right');
  expect(await copies()).toEqual([]);
});

test('a copy that is served because the folder is broken is not copied again', async () => {
  const { lastGood, save, copies } = await prepare();
  await save();
  const before = await copies();
  const served = (await lastGood.read()) ?? expect.unreachable('there is a copy');
  await lastGood.save(served);
  expect(await copies()).toEqual(before);
});

test('translations are copied with the rest, and one that cannot be used keeps nothing from being copied', async () => {
  const { contentDir, lastGood, save } = await prepare();
  await writePseudoLanguage(contentDir, 'ar-XB');
  await writeFile(join(contentDir, 'languages/sm.po'), 'msgid "never ends');
  await symlink('nowhere', join(contentDir, 'languages/to.po'));
  await save();
  const { languages } = (await lastGood.read()) ?? expect.unreachable('there is a copy');
  expect(languages.map(({ tag, notOffered }) => [tag, notOffered])).toEqual([['ar-XB', []]]);
});

test('a meaning that the version before passed over does not end the site, and is named with its line', async () => {
  const { contentDir, home, lastGood, write } = await prepare();
  await write('Sample Trust');
  const unknown =
    '- { key: A, type: checkbox, displayName: A, required: true, choices: [{ label: B, means: urgnt }] }';
  await mkdir(join(contentDir, 'forms'));
  await writeFile(join(contentDir, 'forms/help.yaml'), `# Ours\n${unknown}\n`);
  // As the version before stored it.
  await cp(contentDir, join(home, 'before'), { recursive: true });
  const none = { changed: () => expect.unreachable('nothing was changed'), broken() {} };
  const source = await openContent(contentDir, none, lastGood.read);
  source.close();
  expect(source.current().forms.help.definition).toMatchObject([{ choices: ['B'] }]);
  expect(describeLastingFault(source.fault())).toBe(
    'the content is not right, so the last that was is shown: forms/help.yaml:2 #1 › choices › #1 › means: urgnt is not known: did you mean urgent?',
  );
});
