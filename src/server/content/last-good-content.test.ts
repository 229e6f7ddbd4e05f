import { cp, mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { readContent } from './content.ts';
import { createKeptContent } from './last-good-content.ts';

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
  const kept = createKeptContent(dataDir);
  const keep = async () => kept.keep(await readContent(contentDir));
  const copies = () => readdir(join(dataDir, 'content'));
  return { contentDir, home: join(dataDir, 'content'), kept, keep, copies, write };
}

test('what was kept is what was there, and only the last of it', async () => {
  const { kept, keep, copies, write } = await prepare();
  expect(await kept.read()).toBeNull();
  await keep();
  const first = await copies();
  await keep();
  expect(await copies()).toEqual(first);
  await write('Another Trust');
  await keep();
  expect(await copies()).toHaveLength(1);
  expect((await kept.read())?.site.organisation).toBe('Another Trust');
});

test('a copy that was not finished is never served, and is cleared away', async () => {
  const { home, kept, keep, copies } = await prepare();
  await keep();
  const [copy = ''] = await copies();
  await rename(join(home, copy), join(home, `${copy}.1.part`));
  expect(await kept.read()).toBeNull();
  await keep();
  expect(await copies()).toEqual([copy]);
});

test('of two copies the newer is served, and the older where the newer cannot be read', async () => {
  const { home, kept, keep, copies } = await prepare();
  await keep();
  const [copy = ''] = await copies();
  const damaged = join(home, 'damaged');
  await cp(join(home, copy), damaged, { recursive: true });
  await writeFile(join(damaged, 'site.yaml'), 'organisation: [');
  await utimes(join(home, copy), new Date(0), new Date(0));
  expect((await kept.read())?.folder).toBe(join(home, copy));
});

test('content that is being changed just now is not kept half old and half new', async () => {
  const { contentDir, kept, copies } = await prepare();
  const read = await readContent(contentDir);
  await writeFile(join(contentDir, 'site.yaml'), 'organisation: [');
  await expect(kept.keep(read)).rejects.toThrow('The content is not right');
  expect(await copies()).toEqual([]);
});

test('what is served because the folder is broken is not kept as if it were new', async () => {
  const { kept, keep, copies } = await prepare();
  await keep();
  const before = await copies();
  const served = (await kept.read()) ?? expect.unreachable('something was kept');
  await kept.keep(served);
  expect(await copies()).toEqual(before);
});
