import { countUnread, describeUnread } from '../delivery/mail-folder.ts';
import { describeEnded } from '../files/certificate-file.ts';
import type { Settings } from '../settings/settings.ts';

export interface StartLines {
  settings: Settings;
  port: number;
  mailFolder: string;
  /** What keeps the content from being taken up, where something does. */
  contentFault: string | null;
  /** What each part says it is. */
  requests: string;
  mail: string;
  botCheck: string;
  pictures: string;
}

/** What the start says: where the site is, what it uses, and what somebody must know before they go home. */
export async function describeStart(parts: StartLines): Promise<string> {
  const { settings, contentFault, port, mailFolder, requests, mail, botCheck, pictures } = parts;
  const { publicUrl, host, contentDir } = settings;
  // What is said about a site that serves already must not end it.
  const unread = await countUnread(mailFolder).catch(() => 0);
  const notes = [
    publicUrl && !settings.mail.smtpUrl
      ? `NO MAIL SERVER IS SET: NOBODY IS TOLD OF A REQUEST. SET SMTP_URL, OR LOOK INTO ${mailFolder} EVERY DAY.`
      : null,
    describeEnded('SMTP_CA', settings.mail.caUntil, new Date()),
    unread > 0 ? `${describeUnread(unread)} in ${mailFolder}.` : null,
  ].filter((note) => note !== null);
  return `
  Āwhina is at ${publicUrl ?? `http://${host === '127.0.0.1' ? 'localhost' : host}:${port}`}

  settings   ${describeSources(settings)}
  content    ${contentDir}${contentFault ? `\n             ${contentFault}` : ''}
  requests   ${requests}
  answers    ${describeSealing(settings.sealTo.length)}
  mail       ${mail}
  bot check  ${botCheck}
  pictures   ${pictures}
${notes.map((note) => `\n  ${note}\n`).join('')}`;
}

function describeSources({ file, credentials }: Settings): string {
  if (credentials.length === 0) return file ?? 'the environment alone';
  return `${file ?? 'the environment'}, and ${credentials.join(', ')} from credentials`;
}

function describeSealing(keys: number): string {
  if (keys === 0) return 'not sealed: SEAL_TO is not set';
  return `sealed to ${keys === 1 ? '1 key' : `${keys} keys`}`;
}
