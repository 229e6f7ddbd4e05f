import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate } from '../../files/private-file.ts';
import { writeSynced } from '../../files/synced-file.ts';
import type { WrittenMail } from '../mail.ts';
import type { MailTransport } from '../mail-transport.ts';
import { eraseFile, partialName } from './mail-folder.ts';

/** Used where no SMTP server is set: each mail is an .eml file, which any mail program opens. */
export function createFolderTransport(folder: string): MailTransport {
  makePrivate(folder, 0o700);
  async function write({ name, raw }: WrittenMail): Promise<void> {
    const whole = join(folder, `${name}.eml`);
    const partial = join(folder, partialName(name));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Synced before it is renamed: a file with its final name is complete, even after a power cut.
    const file = await open(partial, writeSynced, 0o600);
    try {
      await file.writeFile(raw);
      await rename(partial, whole);
      // A synced write also syncs the new name, on ext4, XFS and btrfs.
      await file.write(raw, 0, 1, 0);
    } finally {
      await file.close();
    }
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

/** Erases the file of a mail that the mail server has accepted now: it was written before SMTP_URL was set. */
export function clearingFolder(transport: MailTransport, folder: string): MailTransport {
  return {
    ...transport,
    async send(mail) {
      const outcome = await transport.send(mail);
      // A file that stays is read a second time, which does no harm.
      if (outcome.ok) await eraseFile(folder, mail.name).catch(() => {});
      return outcome;
    },
  };
}
