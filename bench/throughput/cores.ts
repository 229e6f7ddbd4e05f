import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A core for the servers and another for the client, so that neither runs in the other's time. Null where there is only
 * one core, or no `taskset` (util-linux): then nothing is pinned.
 */
export const cores: { server: number; client: number } | null = chooseCores();

function allowedCores(): string {
  return /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
}

function chooseCores() {
  if (spawnSync('taskset', ['--version']).status !== 0) return null;
  const allowed = parseCores(allowedCores());
  const [client] = allowed;
  // Most devices interrupt the first core, so the servers get the last one.
  const server = allowed.at(-1);
  return client === undefined || server === undefined || server === client ? null : { server, client };
}

/** Expands `0-2,5` to its numbers. */
function parseCores(list: string): number[] {
  return list.split(',').flatMap((part) => {
    const [from = Number.NaN, to = from] = part.split('-').map((text) => Number.parseInt(text, 10));
    return Number.isNaN(from) ? [] : Array.from({ length: to - from + 1 }, (_, n) => from + n);
  });
}

/** The prefix that pins a command to a core. `taskset` executes the command in its own process, so the pid stays. */
export const onCoreOf = (role: 'server' | 'client'): string[] =>
  cores ? ['taskset', '-c', `${cores[role]}`] : [];

/** Keeps this process, which reads what the servers print, off their core until the work is done. */
export async function avoidServerCore<T>(work: () => Promise<T>): Promise<T> {
  if (!cores) return work();
  const before = allowedCores();
  const pinTo = (list: string) =>
    execFileSync('taskset', ['-acp', list, `${process.pid}`], { stdio: 'ignore' });
  pinTo(`${cores.client}`);
  try {
    return await work();
  } finally {
    pinTo(before);
  }
}
