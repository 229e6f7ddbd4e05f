import { defineConfig } from 'vitest/config';
import { engineProject } from './test/engines/project.ts';
import { firefox, webkit } from './test/support/engines.ts';

/** The same promises in each engine; Chromium has the whole suite in test/e2e. */
export default defineConfig({
  test: {
    projects: [firefox, webkit].map((engine) => engineProject(engine, 'test/engines/*.test.ts')),
    passWithNoTests: true,
    maxWorkers: 2,
  },
});
