import { globSync, readFileSync } from 'node:fs';
import { defineConfig, type ViteUserConfig } from 'vitest/config';
import { engineProject } from './test/engines/project.ts';
import { firefox, oldWebkit, webkit } from './test/support/engines.ts';
import { setFastEnvironment } from './test/support/fast-environment.ts';

/** The test runs by mode: `vitest run --mode engines` is `npm run test:engines`. Without a mode the unit tests are run. */

type TestConfig = NonNullable<ViteUserConfig['test']>;

const besideSources = 'src/**/*.test.{ts,tsx}';
const sharedPostgres = './test/support/shared-postgres.ts';

const shared: TestConfig = {
  // Only a test that hangs reaches these limits; a test on a busy machine does not.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  // The tests mostly wait for other processes, so that four files at a time are quicker even on two cores.
  maxWorkers: 4,
  globalSetup: sharedPostgres,
};

function unit(): TestConfig {
  setFastEnvironment();
  // `vi.mock` has no effect on modules that the worker has loaded before, so these files need a worker of their own. So does one that adds a form.
  const alone = 'test/third-form.test.ts';
  const mocking = globSync(besideSources).filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));
  return {
    ...shared,
    // Files share the modules that their worker has loaded, which saves half a second of processor time for each file.
    isolate: false,
    // Vitest starts with the first project: the slow tests that start processes. The others fill the gaps at the end.
    projects: [
      {
        extends: true,
        test: { name: 'processes', include: ['test/*.test.ts', 'test/attack/*.test.ts'], exclude: [alone] },
      },
      { extends: true, test: { name: 'mocks', include: [...mocking, alone], isolate: true } },
      { extends: true, test: { name: 'src', include: [besideSources], exclude: mocking } },
    ],
  };
}

/** The promises that every engine must keep; in Chromium all of test/e2e is run. */
const engines = (): TestConfig => ({
  projects: [firefox, webkit].map((engine) => engineProject(engine, 'test/engines/*.test.ts')),
  passWithNoTests: true,
  maxWorkers: 2,
});

/** The oldest engine that the site is made for. */
const oldEngine = (): TestConfig => ({
  projects: [engineProject(oldWebkit, 'test/engines/{forms,old/*}.test.ts')],
  passWithNoTests: true,
  maxWorkers: 1,
});

/** The tests that kill the server, 200 times instead of 5. */
function kills(): TestConfig {
  setFastEnvironment();
  return {
    ...shared,
    include: [
      'test/{crash,postgres-restart,many-workers,killed-erase,killed-restore,killed-follow-ups}.test.ts',
    ],
    env: { KILLS: '200' },
  };
}

/** The tests that take too long for every change, or that need the project's history. */
const long = (): TestConfig => ({
  ...shared,
  include: ['test/long/*.test.ts'],
  testTimeout: 900_000,
  maxWorkers: 2,
  globalSetup: [sharedPostgres, './test/support/front-programs.ts'],
});

const runs: Record<string, () => TestConfig> = { test: unit, engines, 'old-engine': oldEngine, kills, long };

export default defineConfig(({ mode }) => {
  const run = runs[mode];
  if (!run) throw new Error(`There is no mode ${mode}: ${Object.keys(runs).join(', ')}.`);
  return { test: run() };
});
