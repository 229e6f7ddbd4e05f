import { statfsSync } from 'node:fs';
import { quickStart } from './server.ts';

const memory = '/dev/shm';
const roomBytes = 4 * 1024 ** 3;

/** What tests write waits for thousands of syncs. Where the machine has memory to spare for files, they are there. */
function inMemory(): { TMPDIR?: string } {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > roomBytes ? { TMPDIR: memory } : {};
  } catch {
    return {};
  }
}

/** For a configuration to call, before it starts anything. A TMPDIR that somebody has set stays. */
export function beQuick(): void {
  Object.assign(process.env, quickStart, process.env.TMPDIR ? {} : inMemory());
}
