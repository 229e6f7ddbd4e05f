import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * A server and whoever asks it on a core each, so that neither is measured in the time of the other. Null where there is
 * only one, or no `taskset` (util-linux): then the system places them as it likes.
 */
export const cores: { server: number; client: number } | null = chooseCores();

function chooseCores() {
  if (spawnSync('taskset', ['--version']).status !== 0) return null;
  const allowed = parseCores(
    /Cpus_allowed_list:\s*(\S+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1],
  );
  const [client] = allowed;
  // The first core is the one that most devices interrupt.
  const server = allowed.at(-1);
  return client === undefined || server === undefined || server === client ? null : { server, client };
}

/** `0-2,5` as the numbers it stands for. */
export function parseCores(list = ''): number[] {
  return list.split(',').flatMap((part) => {
    const [from = Number.NaN, to = from] = part.split('-').map((text) => Number.parseInt(text, 10));
    return Number.isNaN(from) ? [] : Array.from({ length: to - from + 1 }, (_, n) => from + n);
  });
}

/** What to put before a command so that it runs there. `taskset` becomes the command, so that it keeps its process id. */
export const onCoreOf = (who: 'server' | 'client'): string[] =>
  cores ? ['taskset', '-c', `${cores[who]}`] : [];

/** Keeps this process, which reads what the servers print, off their core until the work is done. */
export async function offTheServersCore<T>(work: () => Promise<T>): Promise<T> {
  if (!cores) return work();
  const before = readFileSync('/proc/self/status', 'utf8').match(/Cpus_allowed_list:\s*(\S+)/)?.[1] ?? '';
  const stayOn = (list: string) =>
    execFileSync('taskset', ['-acp', list, `${process.pid}`], { stdio: 'ignore' });
  stayOn(`${cores.client}`);
  try {
    return await work();
  } finally {
    stayOn(before);
  }
}
