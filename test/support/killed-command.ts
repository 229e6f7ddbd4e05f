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

/** `npm run test:kills` kills at every step, for which there is no time at every change: each kill costs a process. */
export const killsEveryStep = process.env.KILLS !== undefined;

/**
 * Runs it again and again, each run a few steps farther than the one before, until one ends by itself. Resolves with what
 * that one said, and with how many were killed.
 */
export async function killedUntilDone(args: string[], env: Record<string, string>, stride: number) {
  for (let kills = 0; ; kills++) {
    const step = 1 + kills * (killsEveryStep ? 1 : stride);
    const result = await killedAtStep(step, args, env);
    if (result.code !== null) return { ...result, kills };
  }
}
