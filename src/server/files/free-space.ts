import { statfs } from 'node:fs/promises';

/** Room for some ten thousand requests: weeks in which somebody can make more. */
const leastMegabytes = 200;

/** In bytes. */
export interface Space {
  /** For the user this runs as. */
  free: number;
  size: number;
}

/** The room on the disk of a folder; null where nobody can tell. */
export async function measureSpace(folder: string): Promise<Space | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  } catch {
    return null;
  }
}

/** What is wrong with the room on the disk of a folder; null when nothing is, or nobody can tell. */
export async function findSpaceProblem(folder: string): Promise<string | null> {
  const space = await measureSpace(folder);
  if (!space) return null;
  const megabytes = Math.floor(space.free / 1024 / 1024);
  return megabytes < leastMegabytes
    ? `the disk is almost full: ${megabytes} MB are left of the ${leastMegabytes} that there should be`
    : null;
}
