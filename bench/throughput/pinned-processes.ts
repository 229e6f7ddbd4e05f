import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { nodeFlags } from '../../scripts/node-flags.ts';
import { startProgram, type TestServer } from '../../test/support/server.ts';
import { testSecret } from '../../test/support/tokens.ts';
import { trustTheVisitor } from '../../test/support/visitor.ts';
import { cores, onCoreOf } from './cores.ts';
import type { Job, LoadResult } from './load-client.ts';
import { waitUntilIdle } from './processor-time.ts';
import type { Workload } from './workloads.ts';

/** A script that listens and logs its port, pinned to the servers' core. */
export function startOnCore(
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<TestServer> {
  const [program = '', ...rest] = [...onCoreOf('server'), process.execPath, script, ...args];
  return startProgram(program, rest, { NODE_ENV: 'production', ...env });
}

/** The site as in production, except that mail goes to files. */
export const startSiteOnCore = (dataDir: string): Promise<TestServer> =>
  startOnCore('src/server/main.ts', [], {
    DATA_DIR: dataDir,
    BOT_CHECK_SECRET: testSecret,
    LOG_LEVEL: 'info',
    WEEKLY_LETTER: 'off',
    NODE_OPTIONS: nodeFlags.join(' '),
    ...trustTheVisitor,
  });

export interface LoadClient {
  /** Sends requests as fast as the server answers them, once none of `all` is busy with other work. */
  load(server: TestServer, all: readonly TestServer[], workload: Workload): Promise<LoadResult>;
  end(): Promise<void>;
}

/** A longer run showed no other ratio, and what else a machine does changes within seconds. */
const secondsPerRun = 1.5;

export function startLoadClient(): LoadClient {
  const script = 'bench/throughput/load-client.ts';
  const [program = '', ...args] = [...onCoreOf('client'), process.execPath, script];
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  const failure = exited.then(([code]) => [{ failed: `The load client exited with ${code}` }]);
  return {
    async load(server, all, workload) {
      await waitUntilIdle(all.map((one) => one.process.pid ?? 0));
      const { url, process } = server;
      const pid = process.pid ?? 0;
      const job: Job = { url, workload, seconds: secondsPerRun, pid, core: cores?.server ?? null };
      child.send(job);
      const [result] = (await Promise.race([once(child, 'message'), failure])) as [
        LoadResult | { failed: string },
      ];
      if ('failed' in result) throw new Error(`${result.failed}\n${describeState(server)}`);
      return result;
    },
    async end() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** Why a server may have stopped answering. */
function describeState({ process: { exitCode, signalCode }, lines }: TestServer): string {
  const exited = exitCode !== null || signalCode !== null;
  const state = exited ? `exited with ${exitCode ?? signalCode}` : 'is still running';
  return [`The server ${state}. Its last lines:`, ...lines.slice(-20)].join('\n');
}
