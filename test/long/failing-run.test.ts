import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary.ts';

test.each([
  ['ends with 1, where a test failed', 'expect(1).toBe(2)', 1],
  ['ends with 0, where all passed', 'expect(1).toBe(1)', 0],
])('a test run with PostgreSQL %s', (_what, body, status) => {
  const folder = temporaryFolder();
  const globalSetup = resolve('test/support/shared-postgres.ts');
  const config = join(folder, 'vitest.config.mjs');
  writeFileSync(
    config,
    `export default { test: { globals: true, globalSetup: [${JSON.stringify(globalSetup)}] } };`,
  );
  writeFileSync(join(folder, 'one.test.ts'), `test('one', () => ${body});`);
  const args = [resolve('node_modules/vitest/vitest.mjs'), 'run', '--root', folder, '--config', config];
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({ status });
});
