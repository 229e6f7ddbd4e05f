import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { nodeFlags } from './node-flags.ts';

/**
 * What `npm start` does: builds the pages, then serves them. A script of its own because a shell that npm runs keeps a
 * SIGTERM to itself and leaves the server running.
 */

/** Runs it to its end, passes on every signal that would end this process, and tells the exit code as a shell does. */
async function run(
  command: string,
  args: string[],
  wholeGroup: boolean,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', detached: wholeGroup, env });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${command} could not be started`);
  const passOn = (signal: NodeJS.Signals) => {
    try {
      process.kill(wholeGroup ? -pid : pid, signal);
    } catch {
      // It has just ended by itself.
    }
  };
  const ending = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
  for (const signal of ending) process.on(signal, passOn);
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  for (const signal of ending) process.off(signal, passOn);
  return code ?? 128 + constants.signals[signal as NodeJS.Signals];
}

// The build is npm, a shell and Vite, of which only a group as a whole ends at once.
const built = await run('npm', ['run', '--silent', 'build'], true);
// As deploy/ has it: packages leave out then what only helps those who change them.
const env = { NODE_ENV: 'production', ...process.env };
process.exitCode = built || (await run(process.execPath, [...nodeFlags, 'src/server/main.ts'], false, env));
