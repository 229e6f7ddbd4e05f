import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Processor time from Linux's /proc, in seconds. NaN on other systems. */

/** Used so far by a process and its threads. */
export function processSeconds(pid: number): number {
  // The process name, in brackets, may contain spaces.
  const [, fields = ''] = read(`/proc/${pid}/stat`).split(/\) (?=[A-Z] )/);
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / ticksPerSecond;
}

/** Used so far on a core by all processes, and by the host of a virtual machine. */
export function coreSeconds(core: number): number {
  const line = read('/proc/stat').match(new RegExp(`^cpu${core} (.*)`, 'm'))?.[1] ?? '';
  const [user, nice, system, , , interrupts, softInterrupts, stolen] = line.split(' ').map(Number);
  const all = [user, nice, system, interrupts, softInterrupts, stolen] as number[];
  return all.reduce((sum, ticks) => sum + ticks, 0) / ticksPerSecond;
}

/** The unit of /proc on every Linux (USER_HZ). */
const ticksPerSecond = 100;

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Waits until all processes are idle, for at most a minute: after submissions a server still writes mail. */
export async function waitUntilIdle(pids: readonly number[]): Promise<void> {
  const used = () => pids.reduce((sum, pid) => sum + processSeconds(pid), 0);
  for (let probe = 0; probe < 300; probe++) {
    const before = used();
    await pause(200);
    if (!(used() - before > 0.02)) return;
  }
  console.log('  (a server was still busy after a minute)');
}
