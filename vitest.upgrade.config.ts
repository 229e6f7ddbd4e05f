import { defineConfig } from 'vitest/config';

/** The version before and this one on one database. It needs the project's history. */
export default defineConfig({
  test: { include: ['test/upgrade/*.test.ts'], testTimeout: 600_000, hookTimeout: 300_000 },
});
