import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgresStore } from '../src/server/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { awhina, run } from './support/command.ts';
import { createDatabase } from './support/databases.ts';
import { startProgram } from './support/server.ts';
import { storeSubmission } from './support/stored-submissions.ts';
import { temporaryFolder } from './support/temporary.ts';

const root = resolve('.');
const command = [process.execPath, join(root, 'src/cli/awhina.ts')] as const;

/** A folder as a trust has it, with its settings in a file and an empty environment. */
function trustFolder(): { folder: string; dataDir: string } {
  const folder = temporaryFolder();
  const dataDir = join(folder, 'requests');
  writeFileSync(join(folder, 'awhina.env'), `CONTENT_DIR=${root}/content\nDATA_DIR=requests\n`);
  return { folder, dataDir };
}

test('the server and the command use the same requests, because both read the settings file', async () => {
  const { folder, dataDir } = trustFolder();
  const server = await startProgram(process.execPath, [join(root, 'src/server/main.ts')], {}, folder);
  onTestFinished(async () => void (await server.end('SIGKILL')));
  await expect.poll(() => server.lines.join('\n')).toContain(`settings   ${folder}/awhina.env`);
  const store = await openSqliteStore(dataDir);
  const reference = await storeSubmission(store, { receivedAt: new Date() });
  await store.close();
  expect((await run(command[0], [command[1], 'list'], {}, { cwd: folder })).out).toContain(reference);
  // From anywhere, by the name of the file.
  expect((await awhina(['list'], { AWHINA_ENV: join(folder, 'awhina.env') })).out).toContain(reference);
});

test.skipIf(spawnSync('script', ['--version']).error)(
  'on a terminal the first line says whose requests these are, and in a pipe nothing does',
  async () => {
    const { folder, dataDir } = trustFolder();
    await (await openSqliteStore(dataDir)).close();
    const typed = await run(
      'script',
      ['-qec', [...command, 'list'].join(' '), '/dev/null'],
      { NO_COLOR: '1' },
      { cwd: folder },
    );
    const first = typed.out.split('\n')[0]?.trim();
    expect(first).toBe(`Requests in SQLite in ${dataDir}/awhina.sqlite (settings: ${folder}/awhina.env)`);
    expect((await run(command[0], [command[1], 'list'], {}, { cwd: folder })).err).not.toContain(
      'Requests in',
    );
  },
);

test('what SQLite still holds after the change to PostgreSQL is seen and named', async () => {
  const url = await createDatabase();
  await (await openPostgresStore(url, () => {})).close();
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  const reference = await storeSubmission(store, { receivedAt: new Date() });
  await store.close();
  const { out, err } = await awhina(['list'], { DATA_DIR: dataDir, DATABASE_URL: url });
  expect(out).toContain(reference);
  expect(err).toContain(`1 request is in ${dataDir}/awhina.sqlite still and not in PostgreSQL.`);
});

test.each([
  ['check', [...command.slice(1), 'check']],
  ['test-mail', [...command.slice(1), 'test-mail']],
  ['the server', [join(root, 'src/server/main.ts')]],
])('%s prints no part of a secret that is in the wrong place', async (_program, args) => {
  const { folder } = trustFolder();
  for (const url of ['smtp://canary:12#canary@mail.example', 'smtp://web@trust.example:canary@canary']) {
    writeFileSync(
      join(folder, 'awhina.env'),
      `CONTENT_DIR=${root}/content
SMTP_URL="${url}"
MAIL_FROM=website@trust.example
MAIL_TO_HELP=help@trust.example
MAIL_TO_CONTACT=contact@trust.example
SEAL_TO=AGE-SECRET-KEY-1CANARY
`,
    );
    const { code, out, err } = await run(command[0], args, {}, { cwd: folder });
    expect(code).toBe(1);
    expect(out + err).toContain('SMTP_URL must name one server');
    expect(out + err).toContain('SEAL_TO has a private key in it: take it off this machine');
    expect(out + err).not.toMatch(/canary/i);
  }
});
