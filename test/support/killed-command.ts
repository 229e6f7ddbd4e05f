import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { awhina, type Result } from './command.ts';

const preload = pathToFileURL(resolve('test/support/die-at-step.ts')).href;
const mortal = { NODE_OPTIONS: `--import ${preload}` };

/** Runs `awhina`, which is killed before its nth step unless it ends before. Code null: it was killed. */
export function killedAtStep(nth: number, args: string[], env: Record<string, string>): Promise<Result> {
  return awhina(args, { ...env, ...mortal, DIE_AT_STEP: String(nth) });
}

/** Runs `awhina`, which is killed before the first step at which this file is there. */
export function killedOnceThere(path: string, args: string[], env: Record<string, string>): Promise<Result> {
  return awhina(args, { ...env, ...mortal, DIE_ONCE_THERE: path });
}

/** `npm run test:kills` kills at every step. `npm test` has no time for that: each kill costs a process. */
export const killsEveryStep = process.env.KILLS !== undefined;

/**
 * Runs the command again and again, killing each run a few steps later than the one before, until a run ends by itself.
 * Resolves with the result of that run, and with the number of killed runs.
 */
export async function killedUntilDone(args: string[], env: Record<string, string>, stride: number) {
  for (let kills = 0; ; kills++) {
    const step = 1 + kills * (killsEveryStep ? 1 : stride);
    const result = await killedAtStep(step, args, env);
    if (result.code !== null) return { ...result, kills };
  }
}
