import type { Content } from '../content/content.ts';
import { type ContentSource, describeFault } from '../content/content-source.ts';
import { describeWithdrawn, shownLanguages } from '../content/languages/shown-languages.ts';
import { countUnread, describeUnread } from '../delivery/folder/mail-folder.ts';
import { describeNobodyElse } from '../delivery/reminders/mailboxes.ts';
import { describeOldRule } from '../erasure/retention.ts';
import { describeExpired } from '../files/certificate-file.ts';
import { describeSameMailbox, type Settings } from '../settings/settings.ts';

/** A part that says what it is, in words for the person who runs the site. */
interface Described {
  description: string;
}

interface StartLines {
  settings: Settings;
  port: number;
  mailFolder: string;
  content: Pick<ContentSource, 'fault' | 'current'>;
  store: Described;
  transport: Described;
  botCheck: Described;
  photos: Described;
}

/** What the start prints: the address of the site, what it uses, and what somebody must act on. */
export async function describeStart(parts: StartLines): Promise<string> {
  const { settings, content, port, mailFolder, store, transport, botCheck, photos } = parts;
  const fault = content.fault();
  const { publicUrl, host, contentDir } = settings;
  // The site is serving already: a failure here must not end it.
  const unread = await countUnread(mailFolder).catch(() => 0);
  const withdrawn = describeWithdrawn(content.current());
  const notes = [
    withdrawn ? `${withdrawn}. awhina check says why.` : null,
    publicUrl && !settings.mail.smtpUrl
      ? `NO MAIL SERVER IS SET: NOBODY IS TOLD OF A REQUEST. SET SMTP_URL, OR LOOK INTO ${mailFolder} EVERY DAY.`
      : null,
    describeExpired('SMTP_CA', settings.mail.caExpiresAt, new Date()),
    describeOldRule(settings),
    describeSameMailbox(settings.mail),
    unread > 0
      ? `${describeUnread(unread)} in ${mailFolder}.${settings.mail.smtpUrl ? ' They are in no mailbox: ./awhina deliveries retry --all mails them.' : ''}`
      : null,
    describeNobodyElse(settings),
    describeMissingPreviews(content.current(), settings),
  ].filter((note) => note !== null);
  return `
  Āwhina is at ${publicUrl ?? `http://${host === '127.0.0.1' ? 'localhost' : host}:${port}`}

  settings   ${describeSources(settings)}
  content    ${contentDir}${fault ? `\n             ${describeFault(fault)}` : ''}
  languages  ${describeLanguages(content.current(), settings)}
  requests   ${store.description}
  answers    ${describeSealing(settings.sealTo.length)}
  mail       ${transport.description}
  bot check  ${botCheck.description}
  pictures   ${photos.description}
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

function describeLanguages(content: Content, { previewLanguages }: Settings): string {
  const shown = shownLanguages(content, previewLanguages).map(
    ({ content: { language }, isPreview }) => `${language.tag}${isPreview ? ' (for a preview)' : ''}`,
  );
  return [content.site.language.tag, ...shown].join(', ');
}

function describeMissingPreviews(
  { languages }: Content,
  { previewLanguages, contentDir }: Settings,
): string | null {
  const missing = previewLanguages.filter(
    (tag) => !languages.some((file) => file.content && file.tag === tag),
  );
  if (missing.length === 0) return null;
  const files = missing.map((tag) => `${tag}.po`).join(', ');
  return `PREVIEW_LANGUAGES names a language without a file that can be used: ${files} in ${contentDir}/languages.`;
}
