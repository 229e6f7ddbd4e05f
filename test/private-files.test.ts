import { chmodSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { sampleEntries } from './support/forms.ts';
import { serve } from './support/running-server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken, testSecret } from './support/tokens.ts';
import { isReceipt, send } from './support/visitor.ts';

/** The paths inside that others than their owner may look into. */
const openToOthers = (folder: string) =>
  globSync('**', { cwd: folder }).filter(
    (path) => path !== '.' && (statSync(join(folder, path)).mode & 0o077) !== 0,
  );

test('in a data folder that everybody can list, no file is readable by others', async () => {
  const dataDir = temporaryFolder();
  chmodSync(dataDir, 0o755);
  // As a backup leaves them that was put back with cp.
  await (await openSqliteStore(dataDir)).close();
  chmodSync(join(dataDir, 'awhina.sqlite'), 0o644);
  mkdirSync(join(dataDir, 'mail'), { mode: 0o755 });
  writeFileSync(join(dataDir, 'bot-check-secret'), testSecret, { mode: 0o644 });
  expect(openToOthers(dataDir).toSorted()).toEqual(['awhina.sqlite', 'bot-check-secret', 'mail']);

  const server = await serve({ DATA_DIR: dataDir, BOT_CHECK_SECRET: '' });
  const receipt = await send(server.url, 'help', sampleEntries.help, await mintToken());
  if (!isReceipt(receipt)) throw new Error(`Not taken: ${receipt}`);
  const paths = ['awhina.sqlite', 'awhina.sqlite-shm', 'awhina.sqlite-wal', `mail/${receipt.reference}.eml`];
  await expect.poll(() => globSync('**', { cwd: dataDir })).toEqual(expect.arrayContaining(paths));
  expect(openToOthers(dataDir)).toEqual([]);
});

test('a new database is private from its first byte, and files left beside an old one are made private', async () => {
  const dataDir = temporaryFolder();
  chmodSync(dataDir, 0o755);
  const store = await openSqliteStore(dataDir);
  expect(openToOthers(dataDir)).toEqual([]);
  for (const path of globSync('**', { cwd: dataDir }))
    if (path !== '.') chmodSync(join(dataDir, path), 0o644);
  const other = await openSqliteStore(dataDir);
  expect(openToOthers(dataDir)).toEqual([]);
  await Promise.all([store.close(), other.close()]);
});
