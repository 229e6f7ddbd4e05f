import MailComposer from 'nodemailer/lib/mail-composer';

/** A mail to staff, before it is written out. */
export interface Mail {
  /** Names it in a folder and in its Message-ID: the same mail sent twice has the same. */
  name: string;
  from: { name: string; address: string };
  to: readonly string[];
  replyTo?: string | undefined;
  subject: string;
  /** To be read before all others: mailboxes set such a mail apart, and some ring for it. */
  urgent?: boolean;
  text: string;
  html: string;
  date: Date;
  /** The requests in it, where they are several. */
  requests?: readonly string[] | undefined;
  attachment?: { filename: string; content: string } | undefined;
}

/** The name of a mail with several requests: after the first of them. */
export const digestName = (reference: string): string => `held-${reference}`;
/** Tells which requests a mail with several holds: one that lies in a folder is not erased before it was read. */
export const requestsHeader = 'X-Requests';

/** Mail programs agree on no single header for it; Priority and Importance are of RFC 2156. */
const urgentHeaders = { 'X-Priority': '1', Priority: 'urgent', Importance: 'high' };

export interface WrittenMail {
  name: string;
  envelope: { from: string; to: string[] };
  raw: Buffer;
}

export async function writeMail(mail: Mail): Promise<WrittenMail> {
  const domain = mail.from.address.slice(mail.from.address.lastIndexOf('@') + 1);
  const composer = new MailComposer({
    from: mail.from,
    to: [...mail.to],
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.date,
    // Stable: where a mail had to be sent again, the mailbox can tell that it is the same one.
    messageId: `<${mail.name}@${domain}>`,
    headers: {
      // No out-of-office or other automatic reply may answer the website.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(mail.urgent ? urgentHeaders : {}),
      ...(mail.requests ? { [requestsHeader]: mail.requests.join(', ') } : {}),
    },
    attachments: mail.attachment ? [{ ...mail.attachment, contentType: 'text/plain; charset=utf-8' }] : [],
    // What visitors type is text; nothing of it may be read as a file or an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    name: mail.name,
    envelope: { from: mail.from.address, to: [...mail.to] },
    raw: await composer.compile().build(),
  };
}
