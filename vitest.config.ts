import { defineConfig } from 'vitest/config';
import { beQuick } from './test/support/quick-machine.ts';

beQuick();

export default defineConfig({
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/*.test.ts', 'test/attack/*.test.ts'],
    // Much of it waits for other processes, so that four files at a time pay even on two cores.
    maxWorkers: 4,
    // Long, because a busy machine is no reason to fail: only a hang is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: './test/support/postgres-account.ts',
  },
});
