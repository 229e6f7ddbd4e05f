import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { testSecret } from './tokens.ts';

/** With Node's compile cache, the dozens of processes that the tests start take half the time to start. */
export const compileCache = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') };

export interface TestServer {
  url: string;
  process: ChildProcess;
  /** What it printed so far, line by line. */
  lines: string[];
  /** Sends the signal and waits for the end. Resolves with the exit code, null where the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Limits {
  /** How many files, connections included, the process may have open. */
  openFiles?: number;
}

/** The server itself, as a process of its own on a free port. */
export function startServer(env: Record<string, string>, limits: Limits = {}): Promise<TestServer> {
  // Only tests of the weekly letter and of reminders set these: no other test may depend on the day of the week.
  const mails = { WEEKLY_LETTER: 'off', REMINDERS: 'off' };
  const settings = { BOT_CHECK_SECRET: testSecret, LOG_LEVEL: 'info', ...mails, ...env };
  return startScript('src/server/main.ts', [], settings, limits);
}

/** Any script that listens and logs its port as the server does. */
export function startScript(
  script: string,
  args: string[] = [],
  env: Record<string, string> = {},
  { openFiles }: Limits = {},
): Promise<TestServer> {
  const command = [process.execPath, script, ...args];
  // The shell becomes the server, so that its process is the one that is given back.
  if (openFiles) command.unshift('sh', '-c', `ulimit -n ${openFiles} && exec "$0" "$@"`);
  const [program = '', ...rest] = command;
  return startProgram(program, rest, { ...compileCache, ...env });
}

/** Any program that listens and logs its port as the server does. */
export async function startProgram(
  command: string,
  args: string[],
  env: Record<string, string>,
  cwd?: string,
  user: { uid?: number; gid?: number } = {},
): Promise<TestServer> {
  const child = spawn(command, args, {
    cwd,
    ...user,
    // The canary's request would be one more mail in every test of mail.
    env: { PATH: process.env.PATH, PORT: '0', CANARY_AT: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const lines: string[] = [];
  const port = await new Promise<number>((listen, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const listening = /"event":"listening","port":(\d+)/.exec(line);
        if (listening) listen(Number(listening[1]));
      });
    }
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${lines.join('\n')}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    lines,
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}
