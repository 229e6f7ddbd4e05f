import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolderTransport } from '../src/server/delivery/folder/folder-transport.ts';
import type { Store } from '../src/server/store/contract/store.ts';
import { generateKeyPair } from '../src/server/submissions/seal.ts';
import { awhina } from './support/command.ts';
import { workerFor } from './support/delivery.ts';
import { eachStore, openStore, type StoreKind } from './support/each-store.ts';
import { createEraser } from './support/erasing-machine.ts';
import { filesWith } from './support/find-in-files.ts';
import { killedAtStep, killedOnceThere, killedUntilDone, killsEveryStep } from './support/killed-command.ts';
import { startServer } from './support/server.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

const canary = 'Kanariwhero7Q';
const now = () => new Date();

const databases = eachStore();
const kinds = new Map(databases);
const pairs = databases.flatMap(([from, source]) =>
  databases.map(([to, target]) => ({ from, to, source, target })),
);

/** A sealed backup of two requests, one of them with its mail in a file, and one file of content. */
async function makeBackup(source: StoreKind) {
  const { store, dataDir, environment, close } = await source.open();
  await storeSubmission(store, { receivedAt: now(), answers: { Message: `words ${canary}` } });
  await workerFor(store, createFolderTransport(join(dataDir, 'mail')), now).sendDue();
  await storeSubmission(store, { receivedAt: now() });
  const references = await referencesIn(store);
  const contentDir = join(temporaryFolder(), 'content');
  mkdirSync(contentDir);
  writeFileSync(join(contentDir, 'site.yaml'), 'name: Sample\n');
  const [file, key] = [join(temporaryFolder(), 'site.backup'), join(temporaryFolder(), 'key.txt')];
  const { recipient, identity } = await generateKeyPair();
  writeFileSync(key, identity);
  const made = await awhina(['backup', file, '--to', recipient], { ...environment, CONTENT_DIR: contentDir });
  expect(made).toMatchObject({ code: 0 });
  await close();
  return {
    args: ['restore', file, '--identity', key],
    references,
    mails: globSync('mail/*', { cwd: dataDir }),
  };
}

async function referencesIn(store: Store): Promise<string[]> {
  const found = [];
  for await (const { reference } of store.iterateSubmissions({})) found.push(reference);
  return found.toSorted();
}

async function openPlace(target: StoreKind) {
  const opened = await target.open();
  await opened.close();
  const CONTENT_DIR = join(temporaryFolder(), 'content');
  return { opened, dataDir: opened.dataDir, env: { ...opened.environment, CONTENT_DIR } };
}

async function expectWhole(
  target: StoreKind,
  { opened, dataDir, env }: Awaited<ReturnType<typeof openPlace>>,
  { references, mails }: Awaited<ReturnType<typeof makeBackup>>,
) {
  const store = await target.reopen(opened);
  try {
    expect(await referencesIn(store)).toEqual(references);
    const { received, delivered } = await store.readFigures('0000-01-01', '9999-12-31');
    expect(received.reduce((sum, { count }) => sum + count, 0)).toBe(2);
    expect(delivered.reduce((sum, { count }) => sum + count, 0)).toBe(1);
  } finally {
    await store.close();
  }
  expect(globSync('mail/*', { cwd: dataDir })).toEqual(mails);
  expect(readFileSync(join(env.CONTENT_DIR, 'site.yaml'), 'utf8')).toBe('name: Sample\n');
  expect(existsSync(join(dataDir, 'restored/content'))).toBe(false);
  expect(globSync('{restoring,unfinished-*}', { cwd: dataDir })).toEqual([]);
}

describe.each(pairs)('a restore of $from into $to that is killed', ({ from, to, source, target }) => {
  // The steps into PostgreSQL are as many again, and each kill costs a process.
  test.runIf(killsEveryStep || (from === 'SQLite' && to === 'SQLite'))(
    'a few steps later each time is run again until it is whole',
    { timeout: 900_000 },
    async () => {
      const backup = await makeBackup(source);
      const place = await openPlace(target);
      const done = await killedUntilDone(backup.args, place.env, 7);
      expect(done).toMatchObject({ code: expect.any(Number) });
      // The last one may have been killed when all was done.
      expect(done.out + done.err).toMatch(/2 requests of .* are back|is not empty/);
      expect(done.kills).toBeGreaterThan(3);
      await expectWhole(target, place, backup);
    },
  );

  test.runIf(killsEveryStep)(
    'once, at any step, is whole after the next run',
    { timeout: 900_000 },
    async () => {
      const backup = await makeBackup(source);
      for (let step = 1; ; step++) {
        const place = await openPlace(target);
        const killed = await killedAtStep(step, backup.args, place.env);
        if (killed.code === null) await awhina(backup.args, place.env);
        else expect(killed).toMatchObject({ code: 0, err: '' });
        await expectWhole(target, place, backup);
        if (killed.code === null) continue;
        process.stdout.write(`restore of ${from} into ${to}: ${step - 1} kills\n`);
        return;
      }
    },
  );
});

describe('beside a restore that was killed', () => {
  const sqlite = kinds.get('SQLite') as StoreKind;

  /** Killed once this file is there. */
  async function killOnceThere(backup: Awaited<ReturnType<typeof makeBackup>>, file: string) {
    const dataDir = join(temporaryFolder(), 'data');
    const env = { DATA_DIR: dataDir, CONTENT_DIR: join(temporaryFolder(), 'content') };
    expect(await killedOnceThere(join(dataDir, file), backup.args, env)).toMatchObject({ code: null });
    return { dataDir, env };
  }

  test('before it had put anything in place, the server erases the unpacked plain text', async () => {
    const backup = await makeBackup(sqlite);
    const { dataDir } = await killOnceThere(backup, 'restoring/settings.env');
    expect(filesWith(join(dataDir, 'restoring'), canary)).not.toEqual([]);
    expect(existsSync(join(dataDir, 'unfinished-restore'))).toBe(false);
    const store = await openStore(dataDir);
    await createEraser(store, dataDir, now)();
    expect(filesWith(dataDir, canary)).toEqual([]);
  });

  test('after that, server and commands say what to do, and no other backup is restored there', async () => {
    const backup = await makeBackup(sqlite);
    const { dataDir, env } = await killOnceThere(backup, backup.mails[0] ?? '');
    expect(filesWith(join(dataDir, 'restoring'), canary)).not.toEqual([]);
    const told =
      /was started and not finished.*Run it again, with the backup of .* with 2 requests: awhina restore FILE/;
    await expect(startServer(env)).rejects.toThrow(told);
    // Sealed in the backup, so it must not lie here in plain text until somebody finds the time.
    expect(existsSync(join(dataDir, 'restoring'))).toBe(false);
    for (const args of [['list'], ['backup', join(temporaryFolder(), 'x.backup')]])
      expect(await awhina(args, env)).toMatchObject({ code: 1, err: expect.stringMatching(told) });

    const other = await makeBackup(sqlite);
    // Two would be mixed.
    expect(await awhina(other.args, env)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Another restore into'),
    });
    expect(await awhina(backup.args, env)).toMatchObject({ code: 0 });
    const store = await openStore(dataDir);
    expect(await referencesIn(store)).toEqual(backup.references);
  });
});
