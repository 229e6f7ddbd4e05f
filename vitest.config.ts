import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Vite would take graphql's ES build and Mercurius its CommonJS one; two copies do not know each other's errors.
    // Node, which runs the server, takes this one for both.
    alias: { graphql: createRequire(import.meta.url).resolve('graphql') },
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/*.test.ts', 'test/attack/*.test.ts'],
    // Much of it waits for other processes, so that three files at a time pay even on two cores.
    maxWorkers: 3,
    // Long, because a busy machine is no reason to fail: only a hang is.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
