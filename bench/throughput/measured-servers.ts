import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeFlags } from '../../scripts/node-flags.ts';
import { startProgram, type TestServer } from '../../test/support/server.ts';
import { testSecret } from '../../test/support/tokens.ts';
import { trustTheVisitor } from '../../test/support/visitor.ts';
import { cores, onCoreOf } from './cores.ts';
import type { Job, Outcome } from './load-client.ts';
import { untilQuiet } from './processor-time.ts';
import type { Visit } from './visits.ts';

/** A script that listens and says so, on the servers' core. */
export function startOnCore(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd?: string,
): Promise<TestServer> {
  const [program = '', ...rest] = [...onCoreOf('server'), process.execPath, script, ...args];
  return startProgram(program, rest, { NODE_ENV: 'production', ...env }, cwd);
}

/** The site as it runs for a trust, from this folder or that of another commit. Mail goes to files. */
export const startSiteOnCore = (dataDir: string, cwd?: string): Promise<TestServer> =>
  startOnCore(
    'src/server/main.ts',
    [],
    {
      DATA_DIR: dataDir,
      BOT_CHECK_SECRET: testSecret,
      LOG_LEVEL: 'info',
      WEEKLY_LETTER: 'off',
      NODE_OPTIONS: nodeFlags.join(' '),
      ...trustTheVisitor,
    },
    cwd,
  );

export interface Client {
  /** Asks as fast as the server answers, once none of `all` is busy with something else. */
  load(server: TestServer, all: readonly TestServer[], visit: Visit): Promise<Outcome>;
  end(): Promise<void>;
}

/** Longer would show no other ratio, and a machine's moods change within seconds. */
const secondsATurn = 1.5;

export function startClient(): Client {
  const [program = '', ...args] = [
    ...onCoreOf('client'),
    process.execPath,
    'bench/throughput/load-client.ts',
  ];
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  const gone = ended.then(([code]) => [{ failed: `The client ended with ${code}` }]);
  return {
    async load(server, all, { load, expectedStatus }) {
      await untilQuiet(all.map((one) => one.process.pid ?? 0));
      const { url, process } = server;
      const job: Job = {
        url,
        load,
        seconds: secondsATurn,
        expectedStatus,
        pid: process.pid ?? 0,
        core: cores?.server ?? null,
      };
      child.send(job);
      const [outcome] = (await Promise.race([once(child, 'message'), gone])) as [
        Outcome | { failed: string },
      ];
      if ('failed' in outcome) throw new Error(`${outcome.failed}\n${describeEnd(server)}`);
      return outcome;
    },
    async end() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** What a server said last, and whether it is still there: for whoever has to find out why it did not answer. */
export function describeEnd({ process, lines }: TestServer): string {
  const { exitCode, signalCode } = process;
  const state =
    exitCode !== null
      ? `ended with ${exitCode}`
      : signalCode !== null
        ? `ended by ${signalCode}`
        : 'still runs';
  return [`The server ${state}. It said last:`, ...lines.slice(-20)].join('\n');
}
