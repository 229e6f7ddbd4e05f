import type { TestProjectInlineConfiguration } from 'vitest/config';
import type { Engine } from '../support/engines.ts';
import { getPrograms } from '../support/programs.ts';
import { notAnswered } from './answering.ts';

/** The tests in these files, in one engine; or, where it cannot be had, a line that says so. */
export function engineProject(engine: Engine, files: string): TestProjectInlineConfiguration {
  const { name } = engine;
  const found = getPrograms(engine);
  if ('missing' in found) console.log(`Not run in ${name}: ${found.missing}.`);
  return {
    test: {
      name,
      include: 'missing' in found ? [] : [files],
      provide: { engine: { name, paths: 'missing' in found ? [] : found.paths } },
      // Long, because a busy machine is no reason to fail: only a hang is.
      testTimeout: 480_000,
      hookTimeout: 480_000,
      retry: { count: 2, condition: new RegExp(notAnswered) },
      expect: { poll: { timeout: 120_000 } },
    },
  };
}
