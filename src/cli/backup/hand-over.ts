import { chmodSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Gives all that root has put into a folder to the owner of the folder. For `restore`, which cannot become the owner: it reads
 * a backup that may be root's, and writes to CONTENT_DIR, which most often is.
 */
export function handOver(folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, name), uid, gid);
}

/** The words of the site are for everybody, and the server most often runs as another user than wrote them. */
export function makePublic(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  chmodSync(folder, 0o755);
}
