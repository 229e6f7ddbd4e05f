import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { readMigrations } from '../src/server/store/rows/migrations.ts';
import type { Upgraded } from './support/open-upgraded.ts';
import { compileCache, startProgram } from './support/server.ts';
import { serviceCommand } from './support/service-unit.ts';
import { temporaryFolder } from './support/temporary.ts';

/**
 * Databases as every version since the first has left them, brought up to date under the flags of the systemd unit.
 * test/long/upgrade.test.ts runs the older version itself.
 */
const recorded = 'test/older-databases';
const migrations = readMigrations('sqlite');
const newest = migrations.length;
const versions = migrations.map(({ number }) => number);
const older = versions.filter((version) => version < newest);
const dumpOf = (version: number) => readFileSync(join(recorded, `schema-${version}.sql`), 'utf8');

const all = ['DDDD-3333', 'HHHH-3333', 'KKKK-3333', 'PPPP-3333', 'QQQQ-3333', 'WWWW-3333', 'WWWW-4444'];
/** Those that are not delivered. What was parked is tried again after a day. */
const waiting = all.filter((reference) => !/^D/.test(reference));

function makeDatabase(dataDir: string, version: number): void {
  mkdirSync(dataDir, { mode: 0o700 });
  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'));
  db.exec(`PRAGMA journal_mode = WAL; ${dumpOf(version)}`);
}

/** Every database in the folder, opened in one process with the flags of the unit. */
function openAsService(parent: string): Record<string, Upgraded> {
  const { node, flags } = serviceCommand({ project: process.cwd(), settings: parent, data: parent });
  const printed = execFileSync(node, [...flags, 'test/support/open-upgraded.ts', parent], {
    encoding: 'utf8',
    env: compileCache,
  });
  return JSON.parse(printed);
}

const expected = (which: readonly number[], found: Upgraded) =>
  Object.fromEntries(which.map((version) => [`from-${version}`, found]));

test('there is a recorded database of every schema, and no migration was changed after it was recorded', () => {
  const names = versions.map((version) => `schema-${version}.sql`);
  expect(readdirSync(recorded).toSorted(), 'run node test/support/record-database.ts').toEqual(
    names.toSorted(),
  );
  const tables = (db: DatabaseSync) => db.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all();
  using made = new DatabaseSync(':memory:');
  for (const { number, sql } of migrations) {
    made.exec(sql);
    using dump = new DatabaseSync(':memory:');
    dump.exec(dumpOf(number));
    expect(tables(dump), `schema ${number}`).toEqual(tables(made));
  }
});

test('every earlier database is brought up to date under the flags of the unit, and back', () => {
  const parent = temporaryFolder();
  for (const version of versions) makeDatabase(join(parent, `from-${version}`), version);
  expect(openAsService(parent)).toEqual(expected(versions, { references: all, due: waiting }));

  const open = (version: number, name: string) => new DatabaseSync(join(parent, `from-${version}`, name));
  const copyName = `awhina-before-${newest}.sqlite`;
  const schemaOf = (db: DatabaseSync) => db.prepare('PRAGMA user_version').get()?.user_version;
  for (const version of older) {
    const dataDir = join(parent, `from-${version}`);
    expect(readdirSync(dataDir).toSorted()).toEqual([copyName, 'awhina.sqlite']);
    expect(statSync(join(dataDir, copyName)).mode & 0o777).toBe(0o600);
    using copy = open(version, copyName);
    expect([schemaOf(copy), copy.prepare('PRAGMA integrity_check').get()]).toEqual([
      version,
      { integrity_check: 'ok' },
    ]);
    using db = open(version, 'awhina.sqlite');
    expect(schemaOf(db)).toBe(newest);
  }

  // The way back: the copy in the place of the database.
  for (const version of older) {
    const dataDir = join(parent, `from-${version}`);
    copyFileSync(join(dataDir, copyName), join(dataDir, 'awhina.sqlite'));
  }
  expect(openAsService(parent)).toEqual(expected(versions, { references: all, due: waiting }));
});

test('a site of 1.0.0 with requests that wait starts under the flags of the unit and mails them', async () => {
  const folder = temporaryFolder();
  const data = join(folder, 'data');
  makeDatabase(data, 6);
  const { node, flags, script } = serviceCommand({ project: process.cwd(), settings: folder, data });
  const server = await startProgram(node, [...flags, script], {
    ...compileCache,
    DATA_DIR: data,
    CONTENT_DIR: resolve('content'),
    // What is recorded was delivered on a day that moves further away.
    RETENTION_DAYS: '3650',
    WEEKLY_LETTER: 'off',
  });
  onTestFinished(async () => void (await server.end('SIGKILL')));
  expect((await fetch(`${server.url}/health/ready`)).status).toBe(200);
  const mails = () => readdirSync(join(data, 'mail')).map((name) => name.replace(/^(held)-.*/, '$1'));
  // What was parked is tried again after a day, and what was held back comes in a mail with others.
  const mailed = [...all.filter((one) => !/^[DH]/.test(one)).map((one) => `${one}.eml`), 'held'];
  await expect.poll(mails).toEqual(expect.arrayContaining(mailed));
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.lines.filter((line) => /ACCESS_DENIED|not (sent|kept|erased)/.test(line))).toEqual([]);
  using db = new DatabaseSync(join(data, 'awhina.sqlite'), { readOnly: true });
  expect(db.prepare('SELECT count(*) AS n FROM submissions WHERE accepted_at IS NULL').get()).toEqual({
    n: 0,
  });
});
