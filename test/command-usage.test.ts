import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhina, awhinaShared, run } from './support/command.ts';
import { temporaryFolder } from './support/temporary.ts';

test('a command that is used wrongly prints its usage, with exit code 2', async () => {
  const wrong = [
    [],
    ['constructor'],
    ['list', '--frm'],
    ['list', '--since', 'yesterday'],
    ['show'],
    ['export'],
    ['deliveries', 'retry'],
    ['list', '--open', '--form', 'help'],
    ['taken', 'HK7W-3RQX'],
    ['taken', 'HK7W-3RQX', '--by', 'AB', '--undo'],
    ['taken', '--by', 'AB'],
    ['answered', 'HK7W-3RQX', '--by', 'nobody@trust.example'],
  ];
  const results = await Promise.all(wrong.map((args) => awhinaShared(args, { DATA_DIR: temporaryFolder() })));
  expect(results.map(({ code }) => code)).toEqual(wrong.map(() => 2));
  const help = await awhinaShared(['help']);
  expect(help.code).toBe(0);
  // Every command that is written, by the first line of its usage.
  const named = globSync('src/cli/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/usage: [`']awhina ([\w-]+)/g)].map(([, name]) => name),
  );
  expect(named.length).toBeGreaterThan(18);
  for (const name of [...named, 'taken', 'answered']) expect(help.out).toContain(`\n  ${name} `);
  expect((await awhinaShared(['help', 'export'])).out).toContain('awhina export --csv|--json');
});

test('a command in a folder without a database says so, and creates none', async () => {
  const dataDir = temporaryFolder();
  const { code, err } = await awhinaShared(['list'], { DATA_DIR: dataDir });
  expect(code).toBe(1);
  expect(err).toContain(`There is no database in ${dataDir} yet.`);
  const unreachable = { DATA_DIR: dataDir, DATABASE_URL: 'postgres://127.0.0.1:1/none' };
  expect((await awhinaShared(['list'], unreachable)).err).toBe(
    'The database in DATABASE_URL cannot be reached.\n',
  );
});

test('show says of a reference without a request what is known, and what is not while the database is away', async () => {
  const dataDir = temporaryFolder();
  await (await openSqliteStore(dataDir)).close();
  const show = (env: Record<string, string>) =>
    awhinaShared(['show', 'ZZZZ-9999'], { DATA_DIR: dataDir, ...env });
  expect(await show({ RETENTION_DAYS: '12' })).toMatchObject({
    code: 1,
    err: 'No request has the reference ZZZZ-9999. It may have been erased: that happens 12 days after somebody last saw it, 90 days after it came in if nobody did, or 7 days after it was withdrawn. Its mail may still be in your mailbox, with the reference in the subject.\n',
  });
  expect((await show({ DATABASE_URL: 'postgres://127.0.0.1:1/none' })).err).toMatch(
    /\nZZZZ-9999 is not on this machine\. Try again when the database is back\.\n$/,
  );
});

test('the command runs from any folder, through a symlink too, under any Node of the machine or none', async () => {
  const folder = temporaryFolder();
  const link = join(folder, 'awhina');
  symlinkSync(resolve('awhina'), link);
  for (const tool of ['dirname', 'readlink']) symlinkSync(`/usr/bin/${tool}`, join(folder, tool));
  expect(await run(link, ['help', 'purge'], { PATH: folder })).toMatchObject({
    code: 0,
    out: expect.stringContaining('awhina purge'),
  });
  for (const command of ['./awhina', 'bin/awhina.js'])
    expect((await run(command, ['sing'], {})).code).toBe(2);
  const modes = execFileSync('git', ['ls-files', '-s', 'awhina', 'bin/awhina.js'], { encoding: 'utf8' });
  expect(modes).toMatch(/^(100755.*\n100755|$)/);
});

test('the command prints its version', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect((await awhina(['--version'])).out).toBe(`awhina ${version}, on Node ${process.versions.node}\n`);
});

test('no document or message runs npx with a package of this name, which belongs to somebody else', () => {
  const files = ['README.md', ...globSync('{src,content,docs}/**/*.{ts,tsx,md,yaml}')];
  expect(files.length).toBeGreaterThan(200);
  expect(files.filter((file) => /npx\s+awhina/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
