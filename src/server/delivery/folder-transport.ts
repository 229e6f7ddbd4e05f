import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate } from '../private-file.ts';
import { writeSynced } from '../synced-file.ts';
import { heldName, type WrittenMail } from './mail.ts';
import type { MailTransport } from './transport.ts';

/** Where no SMTP server is set, staff read their mail here: one .eml file each, which any mail program opens. */

const pathsOf = (folder: string, name: string) => ({
  whole: join(folder, `${name}.eml`),
  partial: join(folder, `.${name}.eml.partial`),
});

export function createFolderTransport(folder: string): MailTransport {
  makePrivate(folder, 0o700);
  async function write({ name, raw }: WrittenMail): Promise<void> {
    const { whole, partial } = pathsOf(folder, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Synced before it has its name, so that a file that is there is whole, also after a power cut.
    const file = await open(partial, writeSynced, 0o600);
    try {
      await file.writeFile(raw);
      await rename(partial, whole);
      // Syncs the new name too, which is a change of the file itself on ext4, XFS and btrfs.
      await file.write(raw, 0, 1, 0);
    } finally {
      await file.close();
    }
    await syncFolder(folder);
  }

  return {
    description: `files in ${folder}`,
    send: (mail) =>
      write(mail).then(
        () => ({ ok: true }),
        (error: NodeJS.ErrnoException) => ({
          ok: false,
          permanent: false,
          reason: `${error.code ?? error.name} at the mail folder`,
        }),
      ),
  };
}

/** Also what a crash left half written. Files that are not there are no matter: most mail went by SMTP. */
export async function eraseMailFiles(folder: string, references: readonly string[]): Promise<void> {
  // Requests that came in one mail were delivered together, and expire together.
  for (const name of references.flatMap((reference) => [reference, heldName(reference)])) {
    for (const path of Object.values(pathsOf(folder, name))) await rm(path, { force: true });
  }
}

/** As POSIX wants it, for the file systems where the above is not enough. */
async function syncFolder(folder: string): Promise<void> {
  if (process.permission) return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
