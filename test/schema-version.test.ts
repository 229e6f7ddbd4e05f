import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../src/server/store/postgres/postgres-store.ts';
import { readMigrations } from '../src/server/store/rows/migrations.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhina, run } from './support/command.ts';
import { createDatabase, empty } from './support/databases.ts';
import { eachStore } from './support/each-store.ts';
import { makeOlder } from './support/older-schema.ts';
import { anySubmission, createClock, storeSubmission } from './support/stored-submissions.ts';

const newer =
  'The database belongs to a newer version of Āwhina than this one. Nothing was changed: start that version, or put back the copy that was made before the upgrade (docs/upgrading.md).';
const older =
  'The database is not of this version yet. Nothing was changed: start the server of this version first, which brings it up to date, or use the command of the version that runs.';

/** Does as a later or an earlier version would have left it. */
async function leave(environment: Record<string, string>, statements: { sqlite: string; postgres: string }) {
  if (environment.DATABASE_URL) {
    const client = new pg.Client(environment.DATABASE_URL);
    await client.connect();
    await client.query(statements.postgres);
    return client.end();
  }
  using db = new DatabaseSync(join(environment.DATA_DIR ?? '', 'awhina.sqlite'));
  db.exec(statements.sqlite);
}

const byLaterVersion = (oldest: string) => ({
  sqlite: `PRAGMA user_version = 999; ${oldest}`,
  postgres: `INSERT INTO migrations VALUES (999, now()); ${oldest}`,
});
const incompatible = byLaterVersion('UPDATE schema_support SET oldest = 998');
const compatible = byLaterVersion('UPDATE schema_support SET oldest = 15');
const newest = readdirSync('src/server/store/sqlite/migrations').length;

describe.each(eachStore())('a database of another version, in %s', (_name, { open }) => {
  async function prepare() {
    const { store, environment, dataDir } = await open();
    const reference = await storeSubmission(store, { receivedAt: createClock().now() });
    await store.close();
    const start = () => run(process.execPath, ['src/server/main.ts'], { PORT: '0', ...environment });
    return { environment, dataDir, reference, start };
  }

  test('that is too new is refused by the server and by the command, in one sentence', async () => {
    const { environment, start } = await prepare();
    await leave(environment, incompatible);
    const started = await start();
    expect(started).toMatchObject({ code: 1, err: `\n${newer}\n\n` });
    expect(await awhina(['list'], environment)).toMatchObject({ code: 1, out: '', err: `${newer}\n` });
  });

  test('that is newer and declares itself compatible is used', async () => {
    const { environment, reference } = await prepare();
    await leave(environment, compatible);
    expect(await awhina(['list'], environment)).toMatchObject({ code: 0 });
    expect((await awhina(['show', reference], environment)).out).toContain(reference);
  });

  test('that is older is not migrated by the command under a running server', async () => {
    const isPostgres = (await prepare()).environment.DATABASE_URL !== undefined;
    const environment = await makeOlder(5, isPostgres ? await createDatabase(empty) : null);
    for (const command of [['list'], ['deliveries'], ['export', '--json']])
      expect(await awhina(command, environment)).toMatchObject({ code: 1, err: `${older}\n` });
  });
});

/** Of version 5, with this many requests. */
async function makeOlderWith(count: number): Promise<string> {
  const references = Array.from({ length: count }, (_, n) => `WWWW-${3333 + n}`);
  const rows = references.map(
    (reference) =>
      `('${reference}', 'help', 'form', '[]', '{"kind":"clean"}', '${reference}', 'a', '2026-03-01T00:00:00.000Z')`,
  );
  const { DATA_DIR = '' } = await makeOlder(
    5,
    null,
    `INSERT INTO definitions VALUES ('form', 'help', '[]');
     INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at)
     VALUES ${rows.join(', ')};
     INSERT INTO deliveries (submission, next_attempt_at) SELECT id, received_at FROM submissions`,
  );
  return DATA_DIR;
}

test('SQLite is copied, for its owner alone, before it is brought up to date', async () => {
  const dataDir = await makeOlderWith(1);
  const upgraded = await openSqliteStore(dataDir);
  onTestFinished(() => upgraded.close());
  expect(await upgraded.findSubmission('WWWW-3333')).toMatchObject({ reference: 'WWWW-3333' });
  const path = join(dataDir, `awhina-before-${newest}.sqlite`);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  using copy = new DatabaseSync(path, { readOnly: true });
  expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 5 });
  expect(copy.prepare('SELECT reference FROM submissions').all()).toEqual([{ reference: 'WWWW-3333' }]);
});

test('of several servers that start at once each serves, and the copy is of before', async () => {
  const dataDir = await makeOlderWith(50);
  const stores = await Promise.all(Array.from({ length: 8 }, () => openSqliteStore(dataDir)));
  for (const one of stores) await one.close();
  using copy = new DatabaseSync(join(dataDir, `awhina-before-${newest}.sqlite`), { readOnly: true });
  expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 5 });
  expect(copy.prepare('SELECT count(*) AS count FROM submissions').get()).toEqual({ count: 50 });
  expect(readdirSync(dataDir).filter((name) => /aside|partial/.test(name))).toEqual([]);
});

test('the two databases have the same migrations, each from the one before without a gap', () => {
  const names = (dialect: string) => readdirSync(`src/server/store/${dialect}/migrations`).toSorted();
  expect(names('postgres')).toEqual(names('sqlite'));
  expect(names('sqlite').map((name) => Number.parseInt(name, 10))).toEqual(
    names('sqlite').map((_, index) => index + 1),
  );
});

/** The rule that lets the version before go on working: nothing it uses is taken away or renamed. */
test('from the sixth on a migration only adds, or says from which version on it can be used', () => {
  for (const dialect of ['sqlite', 'postgres']) {
    const folder = `src/server/store/${dialect}/migrations`;
    for (const name of readdirSync(folder)) {
      if (Number.parseInt(name, 10) < 6) continue;
      const sql = readFileSync(join(folder, name), 'utf8').replace(/--.*$/gm, '');
      if (/\b(DROP|RENAME|ALTER COLUMN|DELETE)\b/i.test(sql))
        expect(sql, name).toContain('UPDATE schema_support');
    }
  }
});

test('a server that finds PostgreSQL being migrated by another waits for it', async () => {
  const url = await createDatabase(empty);
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore(url, () => {})));
  for (const store of stores) {
    const result = await store.add(anySubmission());
    expect(result.added).toBe(true);
    await store.close();
  }
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query('SELECT number FROM migrations ORDER BY number');
  await client.end();
  expect(rows.map(({ number }) => number)).toEqual(readMigrations('postgres').map(({ number }) => number));
});
