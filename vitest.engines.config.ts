import { defineConfig } from 'vitest/config';
import { engines, getEngine } from './test/support/engines.ts';

/** The same promises in every engine, each a project of its own; Chromium has the whole suite in test/e2e. */
const projects = engines.map((engine) => {
  const { name } = engine;
  const found = getEngine(engine);
  if ('missing' in found) console.log(`Not run in ${name}: ${found.missing}.`);
  return {
    test: {
      name,
      include: 'missing' in found ? [] : ['test/engines/*.test.ts'],
      provide: { engine: { name, paths: 'missing' in found ? [] : found.paths } },
      // Long, because a busy machine is no reason to fail: only a hang is.
      testTimeout: 240_000,
      hookTimeout: 240_000,
      expect: { poll: { timeout: 60_000 } },
    },
  };
});

export default defineConfig({
  test: { projects, passWithNoTests: true, maxWorkers: 2 },
});
