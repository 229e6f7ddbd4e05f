import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivate } from '../../files/private-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import type { WrittenMail } from '../mail.ts';
import type { MailTransport } from '../mail-transport.ts';
import { eraseMailFile, partialName } from './mail-folder.ts';

/** Used where no SMTP server is set: each mail is an .eml file, which any mail program opens. */
export function createFolderTransport(folder: string): MailTransport {
  makePrivate(folder, 0o700);
  async function write({ name, raw }: WrittenMail): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // `eraseMailFile` erases a file of this name too, which a crash may have made.
    const part = join(folder, partialName(name));
    await writeAtomically(join(folder, `${name}.eml`), raw, { part, syncName: true, ownerOnly: true });
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

/** Erases the file of a mail once the mail server has accepted the mail: the file was written before SMTP_URL was set. */
export function erasingSentFiles(transport: MailTransport, folder: string): MailTransport {
  return {
    ...transport,
    async send(mail) {
      const outcome = await transport.send(mail);
      // A file that stays is read a second time, which does no harm.
      if (outcome.ok) await eraseMailFile(folder, mail.name).catch(() => {});
      return outcome;
    },
  };
}
