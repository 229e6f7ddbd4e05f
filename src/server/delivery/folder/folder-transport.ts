import { mkdir, open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate } from '../../files/private-file.ts';
import { writeSynced } from '../../files/synced-file.ts';
import type { WrittenMail } from '../mail.ts';
import type { MailTransport } from '../mail-transport.ts';
import { eraseFile, partialName } from './mail-folder.ts';

/** Where no SMTP server is set, staff read their mail here: one .eml file each, which any mail program opens. */

export function createFolderTransport(folder: string): MailTransport {
  makePrivate(folder, 0o700);
  async function write({ name, raw }: WrittenMail): Promise<void> {
    const whole = join(folder, `${name}.eml`);
    const partial = join(folder, partialName(name));
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

/** What a mail server has taken lies in the folder no longer: it was written there before there was one. */
export function clearingFolder(transport: MailTransport, folder: string): MailTransport {
  return {
    ...transport,
    async send(mail) {
      const outcome = await transport.send(mail);
      // One that stays is read twice, and no harm is done.
      if (outcome.ok) await eraseFile(folder, mail.name).catch(() => {});
      return outcome;
    },
  };
}
