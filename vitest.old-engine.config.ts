import { defineConfig } from 'vitest/config';
import { engineProject } from './test/engines/project.ts';
import { oldWebkit } from './test/support/engines.ts';

/** The floor: an engine as old as the phones we still want to serve. */
export default defineConfig({
  test: {
    projects: [engineProject(oldWebkit, 'test/engines/{forms,old/*}.test.ts')],
    passWithNoTests: true,
    maxWorkers: 1,
  },
});
