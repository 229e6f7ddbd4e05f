import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';

test('a test run that is killed leaves no PostgreSQL and no files of it behind', async () => {
  const script = `const { startPostgres } = await import('./test/support/postgres.ts');
    process.stdout.write((await startPostgres()).folder);`;
  const run = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [folder] = await once(run.stdout.setEncoding('utf8'), 'data');
  expect(existsSync(`${folder}/postmaster.pid`)).toBe(true);
  run.kill('SIGKILL');
  await expect.poll(() => existsSync(dirname(folder))).toBe(false);
});
