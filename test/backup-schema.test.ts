import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhinaShared } from './support/command.ts';
import { eachStore } from './support/each-store.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

/** What a backup's database brings besides its rows stays behind. */

const receivedAt = new Date();
const databaseIn = (dataDir: string) => join(dataDir, 'awhina.sqlite');
const schemaOf = (db: DatabaseSync) => db.prepare('SELECT type, name, sql FROM sqlite_schema').all();

function change(dataDir: string, sql: string): void {
  using db = new DatabaseSync(databaseIn(dataDir));
  db.exec(sql);
}

async function backUp(dataDir: string): Promise<string> {
  const file = join(temporaryFolder(), 'site.backup');
  expect(await awhinaShared(['backup', file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  return file;
}

async function makeSite(sql: string) {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  const references = [
    await storeSubmission(store, { receivedAt }),
    await storeSubmission(store, { receivedAt }),
  ];
  await store.close();
  change(dataDir, sql);
  return { references, dataDir };
}

/** What somebody puts into a file who wants requests to vanish, and what a curious colleague leaves in one. */
const foreign = `
  CREATE TRIGGER vanish AFTER INSERT ON jobs BEGIN DELETE FROM submissions WHERE id = NEW.submission; END;
  CREATE TRIGGER undo AFTER UPDATE ON jobs BEGIN DELETE FROM submissions; END;
  CREATE TABLE copied AS SELECT answers FROM submissions;
  CREATE INDEX handy ON submissions (form);
  CREATE VIEW everything AS SELECT * FROM submissions;
  ANALYZE`;

const databases = eachStore();

describe.each(databases)('restored into %s, a backup of SQLite', (_name, target) => {
  test('with triggers has every request, and loses none that comes later', async () => {
    const { references, dataDir } = await makeSite(foreign);
    const file = await backUp(dataDir);
    const place = await target.open();
    await place.close();
    expect(await awhinaShared(['restore', file], place.environment)).toMatchObject({ code: 0, err: '' });
    const store = await target.reopen(place);
    onTestFinished(() => store.close());
    for (const reference of [...references, await storeSubmission(store, { receivedAt })])
      expect(await store.findSubmission(reference)).toMatchObject({ reference });
  });
});

test('a restored database has the schema of our migrations, byte for byte', async () => {
  const { dataDir } = await makeSite(foreign);
  const file = await backUp(dataDir);
  const elsewhere = join(temporaryFolder(), 'data');
  expect(await awhinaShared(['restore', file], { DATA_DIR: elsewhere })).toMatchObject({ code: 0 });
  const ours = temporaryFolder();
  await (await openSqliteStore(ours)).close();
  using restored = new DatabaseSync(databaseIn(elsewhere));
  using expected = new DatabaseSync(databaseIn(ours));
  expect(schemaOf(restored)).toEqual(schemaOf(expected));
});

test.each(globSync('test/older-databases/*.sql'))(
  'every row of %s comes back, in the tables of its version',
  async (path) => {
    const dataDir = temporaryFolder();
    change(dataDir, readFileSync(path, 'utf8'));
    const elsewhere = join(temporaryFolder(), 'data');
    const file = await backUp(dataDir);
    expect(await awhinaShared(['restore', file], { DATA_DIR: elsewhere })).toMatchObject({
      code: 0,
      err: '',
    });
    using before = new DatabaseSync(databaseIn(dataDir));
    using after = new DatabaseSync(databaseIn(elsewhere));
    expect(after.prepare('PRAGMA user_version').get()).toEqual(before.prepare('PRAGMA user_version').get());
    const tables = schemaOf(before).flatMap(({ type, name }) => (type === 'table' ? `${name}` : []));
    expect(tables).toContain('submissions');
    // Its counts continue under an origin of their own.
    for (const table of tables.filter((name) => name !== 'count_origin')) {
      const rows = (db: DatabaseSync) =>
        db
          .prepare(`SELECT * FROM ${table}`)
          .all()
          .map((row) => ({ ...row, leased_until: null }));
      expect(rows(after), `${table} of ${basename(path)}`).toEqual(rows(before));
    }
  },
);

test.each([
  ['of a newer version', 'PRAGMA user_version = 999', 'a newer version of Āwhina'],
  ['without a table of ours', 'DROP TABLE times', 'cannot be read'],
  ['of no version', 'PRAGMA user_version = 0', 'cannot be read'],
])('a backup with a database %s is refused in a sentence', async (_what, sql, said) => {
  const { dataDir } = await makeSite(sql);
  const elsewhere = join(temporaryFolder(), 'data');
  const { code, err } = await awhinaShared(['restore', await backUp(dataDir)], { DATA_DIR: elsewhere });
  expect({ code, lines: err.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
  expect(err).toContain(said);
  expect(globSync('**', { cwd: elsewhere }).filter((one) => one !== '.')).toEqual([]);
});
