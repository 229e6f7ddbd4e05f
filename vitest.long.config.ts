import { defineConfig } from 'vitest/config';

/** What takes longer than there is time for at every change, or needs the project's history. */
export default defineConfig({
  test: {
    include: [
      'test/long/*.test.ts',
      // Once more, because these skip what the machine did not have until now.
      'test/{away,proxies,watching}.test.ts',
    ],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    globalSetup: ['./test/support/postgres-account.ts', './test/support/front-programs.ts'],
  },
});
