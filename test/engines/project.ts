import type { TestProjectInlineConfiguration } from 'vitest/config';
import type { Engine } from '../support/engines.ts';
import { getPrograms } from '../support/programs.ts';
import { notAnswered } from './answering.ts';

/** The project that runs these files in one engine. If the engine is not available, the project is empty and says so. */
export function engineProject(engine: Engine, files: string): TestProjectInlineConfiguration {
  const { name } = engine;
  const found = getPrograms(engine);
  if ('missing' in found) console.log(`Not run in ${name}: ${found.missing}.`);
  return {
    test: {
      name,
      include: 'missing' in found ? [] : [files],
      provide: { engine: { name, paths: 'missing' in found ? [] : found.paths } },
      // Only a test that hangs reaches these limits; a test on a busy machine does not.
      testTimeout: 480_000,
      hookTimeout: 480_000,
      retry: { count: 2, condition: new RegExp(notAnswered) },
      expect: { poll: { timeout: 120_000 } },
    },
  };
}
