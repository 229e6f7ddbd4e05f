import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { beQuick } from './test/support/quick-machine.ts';

beQuick();

const besideSources = 'src/**/*.test.{ts,tsx}';
/** A module is mocked only for those who load it after that. */
const mocking = globSync(besideSources).filter((file) => readFileSync(file, 'utf8').includes('vi.mock('));

export default defineConfig({
  test: {
    // The names are the order too: those that start processes and take long, then the others, which fill the gaps at the end.
    projects: [
      {
        extends: true,
        test: { name: 'processes', include: ['test/*.test.ts', 'test/attack/*.test.ts', ...mocking] },
      },
      {
        extends: true,
        // Files share the modules their worker has loaded: half a second of processor time less for each of a hundred.
        test: { name: 'src', include: [besideSources], exclude: mocking, isolate: false },
      },
    ],
    // Much of it waits for other processes, so that four files at a time pay even on two cores.
    maxWorkers: 4,
    // Long, because a busy machine is no reason to fail: only a hang is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: './test/support/postgres-account.ts',
  },
});
