import { randomUUID } from 'node:crypto';
import { chown, mkdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeAtomically } from '../../server/files/write-atomically.ts';
import { CommandFailed } from '../command.ts';

/** Writes a file of content/languages. One that exists keeps its owner and its permissions. */
export async function writeLanguageFile(path: string, text: string): Promise<void> {
  // The server may run as another user, who must be able to read the content.
  process.umask(0o022);
  try {
    await mkdir(dirname(path), { recursive: true });
    const target = await realpath(path).catch(() => path);
    const existing = await stat(target).catch(() => null);
    // The reading of the content leaves out names that begin with a dot.
    const part = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
    await writeAtomically(target, text, { mode: (existing?.mode ?? 0o644) & 0o777, part });
    if (existing && process.getuid?.() === 0) await chown(target, existing.uid, existing.gid);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CommandFailed(`${path} could not be written (${code}).`, { cause });
  }
}
