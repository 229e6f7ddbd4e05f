import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

const { projects, ...shared } = config.test ?? {};

/** The tests that kill the server, as often as it takes to believe them. */
export default defineConfig({
  test: {
    ...shared,
    include: ['test/crash.test.ts', 'test/postgres-restart.test.ts', 'test/many-workers.test.ts'],
    env: { KILLS: '200' },
  },
});
