import { defineConfig } from 'vitest/config';
import { quickStart } from './test/support/server.ts';

// For the threads that tests start too: opening a database is one of those.
Object.assign(process.env, quickStart);

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/*.test.ts', 'test/attack/*.test.ts'],
    // Much of it waits for other processes, so that three files at a time pay even on two cores.
    maxWorkers: 3,
    // Long, because a busy machine is no reason to fail: only a hang is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
