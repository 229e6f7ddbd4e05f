import { type SpawnOptions, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { quickStart } from './server.ts';

export interface Result {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `awhina` as a process of its own, as a volunteer would, and reads what it says. */
export async function awhina(
  args: string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<Result> {
  return run(process.execPath, [resolve('src/cli/awhina.ts'), ...args], env, cwd ? { cwd } : {});
}

export async function run(
  command: string,
  args: string[],
  env: Record<string, string>,
  options: Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> = {},
): Promise<Result> {
  const child = spawn(command, args, {
    ...options,
    env: { PATH: process.env.PATH, ...quickStart, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  // Not as text, which would swallow a byte order mark.
  const [out, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  return { code: await code, out: out.toString(), err: err.toString() };
}
