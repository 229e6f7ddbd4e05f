import { createRequire } from 'node:module';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    // Vite would take graphql's ES build and Mercurius its CommonJS one; two copies do not know each other's errors.
    // Node, which runs the server, takes this one for both.
    alias: { graphql: createRequire(import.meta.url).resolve('graphql') },
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'test/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
