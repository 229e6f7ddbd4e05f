import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** Processor time as Linux tells it, in seconds. NaN where it does not. */

/** What a process and its threads have used so far. */
export function processSeconds(pid: number): number {
  // Its name, in brackets, may have spaces of its own.
  const [, fields = ''] = read(`/proc/${pid}/stat`).split(/\) (?=[A-Z] )/);
  const [user, system] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / ticksASecond;
}

/** What everybody has used of a core so far, the host of a virtual machine among them. */
export function coreSeconds(core: number): number {
  const line = read('/proc/stat').match(new RegExp(`^cpu${core} (.*)`, 'm'))?.[1] ?? '';
  const [user, nice, system, , , interrupts, softly, stolen] = line.split(' ').map(Number);
  const all = [user, nice, system, interrupts, softly, stolen] as number[];
  return all.reduce((sum, ticks) => sum + ticks, 0) / ticksASecond;
}

/** What the kernel counts in when it talks to programs, on every Linux. */
const ticksASecond = 100;

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** Waits until none of them is at work any more, with mail after a round of submissions say; not for ever. */
export async function untilQuiet(pids: readonly number[]): Promise<void> {
  const used = () => pids.reduce((sum, pid) => sum + processSeconds(pid), 0);
  for (let look = 0; look < 300; look++) {
    const before = used();
    await pause(200);
    if (!(used() - before > 0.02)) return;
  }
  console.log('  (a server was still at work after a minute)');
}
