import { statfs } from 'node:fs/promises';

/** Room for some ten thousand requests: weeks in which somebody can make more. */
const leastMegabytes = 200;

/** What is wrong with the room on the disk of a folder; null when nothing is, or nobody can tell. */
export async function findSpaceProblem(folder: string): Promise<string | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    const megabytes = Math.floor((bavail * bsize) / 1024 / 1024);
    return megabytes < leastMegabytes
      ? `the disk is almost full: ${megabytes} MB are left of the ${leastMegabytes} that there should be`
      : null;
  } catch {
    return null;
  }
}
