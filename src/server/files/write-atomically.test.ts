import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { writeAtomically } from './write-atomically.ts';

/** As in a developer's shell; the server itself runs with 077. */
function setCommonUmask(): void {
  const before = process.umask(0o022);
  onTestFinished(() => void process.umask(before));
}

const permissions = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('the umask decides who may read a file, unless it is for its owner only or has a mode of its own', async () => {
  setCommonUmask();
  const folder = temporaryFolder();
  const path = (name: string) => join(folder, name);
  await writeAtomically(path('picture'), 'x');
  await writeAtomically(path('secret'), 'x', { ownerOnly: true });
  await writeAtomically(path('page'), 'x', { mode: 0o646 });
  expect([permissions(path('picture')), permissions(path('secret')), permissions(path('page'))]).toEqual([
    '644',
    '600',
    '646',
  ]);
});

test('an existing file is replaced, or left as it is, and no other file stays behind', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'file');
  writeFileSync(path, 'old');
  await writeAtomically(path, 'newer', { ifMissing: true });
  expect(readFileSync(path, 'utf8')).toBe('old');
  await writeAtomically(path, 'new', { syncName: true });
  expect(readFileSync(path, 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['file']);
});

test('nothing stays behind where the file cannot be put at its name', async () => {
  const folder = temporaryFolder();
  await expect(writeAtomically(folder, 'x', { part: join(folder, 'part') })).rejects.toThrow();
  expect(readdirSync(folder)).toEqual([]);
});
