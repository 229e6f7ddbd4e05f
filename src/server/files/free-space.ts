import { statfs } from 'node:fs/promises';

/** Space for about ten thousand requests, which is weeks: time enough to free more. */
const leastMegabytes = 200;

/** In bytes. */
export interface Space {
  /** For the user that this process runs as. */
  free: number;
  size: number;
}

/** The space on the disk of a folder; null where the system does not say. */
export async function measureSpace(folder: string): Promise<Space | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}

/** A sentence where the disk of a folder is almost full, otherwise null. */
export async function findSpaceProblem(folder: string): Promise<string | null> {
  const space = await measureSpace(folder);
  if (!space) return null;
  const megabytes = Math.floor(space.free / 1024 / 1024);
  return megabytes < leastMegabytes
    ? `the disk is almost full: ${megabytes} MB are left of the ${leastMegabytes} that there should be`
    : null;
}
