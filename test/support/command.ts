import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { compileCache } from './server.ts';

export interface Result {
  code: number | null;
  out: string;
  err: string;
}

/** Runs `awhina` as a process, as a volunteer would, and returns its output and exit code. */
export async function awhina(
  args: string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<Result> {
  return run(process.execPath, [resolve('src/cli/awhina.ts'), ...args], env, cwd ? { cwd } : {});
}

export interface CommandCall {
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

let shared: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * The same in a process that all tests of a file share, one command after the other. A process of its own takes half a second
 * of processor time: it is for what only a process shows, such as that a command ends.
 */
export function awhinaShared(
  args: string[],
  env: Record<string, string> = {},
  cwd = process.cwd(),
): Promise<Result> {
  const call: CommandCall = { args, env: { PATH: process.env.PATH ?? '', ...env }, cwd };
  const result = last.then(() => ask(call));
  last = result.catch(() => {});
  return result;
}

function ask(call: CommandCall): Promise<Result> {
  if (shared?.connected !== true) {
    const env = { PATH: process.env.PATH, ...compileCache };
    shared = fork(resolve('test/support/command-process.ts'), {
      env,
      execArgv: [],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    shared.unref();
    shared.channel?.unref();
  }
  const child = shared;
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`awhina ${call.args[0]} ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (result) => {
      child.off('exit', onExit);
      resolve(result as Result);
    });
    child.send(call);
  });
}

export async function run(
  command: string,
  args: string[],
  env: Record<string, string>,
  options: Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> = {},
): Promise<Result> {
  const child = spawn(command, args, {
    ...options,
    env: { PATH: process.env.PATH, ...compileCache, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const code = new Promise<number | null>((resolve) => child.on('close', resolve));
  // Not as text, which would swallow a byte order mark.
  const [out, err] = await Promise.all([buffer(child.stdout), buffer(child.stderr)]);
  return { code: await code, out: out.toString(), err: err.toString() };
}
