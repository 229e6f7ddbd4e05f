import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

const { projects, ...shared } = config.test ?? {};

/** The tests that kill the server, as often as it takes to believe them. */
export default defineConfig({
  test: {
    ...shared,
    include: ['crash', 'postgres-restart', 'many-workers', 'killed-erase', 'killed-restore'].map(
      (name) => `test/${name}.test.ts`,
    ),
    env: { KILLS: '200' },
  },
});
