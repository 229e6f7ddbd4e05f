import { randomUUID } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Logger } from 'pino';
import { describeForeignFiles, findForeignFiles, refuseForeignDatabase } from './data-owner.ts';

/** What the server makes anew: the words as they last were right, scripts, pictures, the secret of the bot check. */
const replaceable = ['content', 'builds', 'photos', 'bot-check-secret'];

/** Ends the name of what is passed over, and removed by whoever may. */
const part = '.part';

/**
 * For files that somebody else wrote into DATA_DIR, most often root: tells how to give them back.
 *
 * @throws {BadSettings} where the database is among them
 */
export function reportForeignFiles(dataDir: string, log: Pick<Logger, 'error'>): void {
  refuseForeignDatabase(dataDir);
  const problem = describeForeignFiles(dataDir, findForeignFiles(dataDir));
  if (problem) log.error({ event: 'file of another user', problem });
}

/**
 * Makes room for what can be made anew, and leaves what holds requests. For when the content is there: until then its last
 * good copy, if root's, may be all there is. A folder cannot be emptied, only renamed.
 */
export function replaceForeignFiles(dataDir: string, log: Pick<Logger, 'warn'>): void {
  const isReplaceable = (path: string) => replaceable.includes(relative(dataDir, path).split(sep)[0] ?? '');
  for (const { path, isFolder } of findForeignFiles(dataDir)) {
    if (!isReplaceable(path) || path.endsWith(part)) continue;
    try {
      if (isFolder) renameSync(path, `${path}.${randomUUID()}${part}`);
      else rmSync(path);
      log.warn({ event: 'file of another user replaced', file: path });
    } catch {
      // DATA_DIR itself is not ours either, and was told of.
    }
  }
}
