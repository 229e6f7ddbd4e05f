import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { awhina, type Result } from './command.ts';

/** Runs `awhina`, which is killed before its nth step unless it ends before. Code null: it was killed. */
export function killedAtStep(nth: number, args: string[], env: Record<string, string>): Promise<Result> {
  const preload = pathToFileURL(resolve('test/support/die-at-step.ts')).href;
  return awhina(args, { ...env, NODE_OPTIONS: `--import ${preload}`, DIE_AT_STEP: String(nth) });
}

/**
 * Runs it again and again: the first run dies before its first step, the second before its second, until one ends by
 * itself. Resolves with what that one said, and with how many were killed.
 */
export async function killedUntilDone(args: string[], env: Record<string, string>) {
  for (let kills = 0; ; kills++) {
    const result = await killedAtStep(kills + 1, args, env);
    if (result.code !== null) return { ...result, kills };
  }
}
