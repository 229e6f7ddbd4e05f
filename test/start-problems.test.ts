import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { awhina } from './support/command.ts';
import { sharedPostgres } from './support/databases.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';

/** All that a start which fails has to say. */
async function problem(env: Record<string, string>): Promise<string[]> {
  const message = await startServer({ DATA_DIR: temporaryFolder(), ...env }).then(
    async (server) => {
      await server.end();
      return 'It started.';
    },
    (error: Error) => error.message,
  );
  return message.split('\n').filter(Boolean);
}
const ended = 'The server ended with 1:';

test('an address that is not of this machine is said to be HOST', async () => {
  const [code, line, ...more] = await problem({ HOST: '192.0.2.1' });
  expect([code, more]).toEqual([ended, []]);
  expect(line).toMatch(/^HOST is not an address this machine can listen on .*Set it to/);
});

test('a DATA_DIR that is a file is said to be no folder', async () => {
  const file = join(temporaryFolder(), 'data');
  writeFileSync(file, '');
  for (const dataDir of [file, join(file, 'below')]) {
    const lines = await problem({ DATA_DIR: dataDir });
    expect(lines).toEqual([ended, expect.stringMatching(/^DATA_DIR is not a folder\. Set it to/)]);
  }
});

// Nobody can make a folder there, not even root, whom permissions do not stop.
test.skipIf(!existsSync('/sys/kernel'))('a DATA_DIR that cannot be written to is said to be so', async () => {
  const lines = await problem({ DATA_DIR: '/sys/awhina' });
  expect(lines).toEqual([ended, expect.stringMatching(/^DATA_DIR cannot be written to\. Let the user/)]);
});

test('a file that is no database is reported as damaged, by the server and by the command', async () => {
  const dataDir = temporaryFolder();
  writeFileSync(join(dataDir, 'awhina.sqlite'), 'not a database, '.repeat(100));
  const told = expect.stringMatching(/^DATA_DIR holds an awhina\.sqlite that is damaged/);
  expect(await problem({ DATA_DIR: dataDir })).toEqual([ended, told]);
  expect(await awhina(['list'], { DATA_DIR: dataDir })).toMatchObject({ code: 1, err: told });

  const folder = temporaryFolder();
  mkdirSync(join(folder, 'awhina.sqlite'));
  expect(await problem({ DATA_DIR: folder })).toEqual([ended, expect.stringMatching(/^DATA_DIR cannot be/)]);
});

test('a database that does not let the site in is said to be DATABASE_URL, and nothing of it is repeated', async () => {
  expect(await problem({ DATABASE_URL: sharedPostgres().url.replace(/postgres$/, 'CANARY') })).toEqual([
    ended,
    'DATABASE_URL names a database that is not there. Make it, or set it to one that is.',
  ]);
  expect(await problem({ DATABASE_URL: sharedPostgres().url.replace(':awhina@', ':CANARY@') })).toEqual([
    ended,
    'DATABASE_URL has a user or a password that the database refuses. Set it to those it knows.',
  ]);
  // A name that the resolver leads back to this machine, as nobody can know from it.
  expect(await problem({ DATABASE_URL: sharedPostgres().url.replace('127.0.0.1', '127.1') })).toEqual([
    ended,
    expect.stringMatching(/^DATABASE_URL names a database on another machine that does not encrypt/),
  ]);
});

test('a public site never starts with the name or an address of the example', async () => {
  const lines = await problem({ PUBLIC_URL: 'https://www.trust.org.nz' });
  expect(lines.slice(0, 2)).toEqual([ended, 'The content is not right:']);
  expect(lines[2]).toMatch(
    /^ {2}site\.yaml:\d+ {2}organisation: “Kōwhai Family Support Centre” is the example's: put your own in its place$/,
  );
});
