import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** When a file in the folder was last changed; null where that cannot be found out. */
export async function findContentDate(folder: string): Promise<Date | null> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const times = await Promise.all(
      entries
        .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
        .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).mtimeMs),
    );
    return times.length > 0 ? new Date(times.reduce((newest, time) => Math.max(newest, time))) : null;
  } catch {
    return null;
  }
}
