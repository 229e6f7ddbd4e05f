import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { testSecret } from './tokens.ts';

export interface TestServer {
  url: string;
  process: ChildProcess;
  /** What it printed so far, line by line. */
  lines: string[];
  /** Sends the signal and waits for the end. Resolves with the exit code, null where the signal ended it. */
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/** The server itself, as a process of its own on a free port. */
export function startServer(env: Record<string, string>): Promise<TestServer> {
  return startScript('src/server/main.ts', [], { BOT_CHECK_SECRET: testSecret, LOG_LEVEL: 'info', ...env });
}

/** Any script that listens and says so as the server does. */
export async function startScript(
  script: string,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<TestServer> {
  const child = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const lines: string[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const listening = /"event":"listening","port":(\d+)/.exec(line);
        if (listening) resolve(Number(listening[1]));
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
