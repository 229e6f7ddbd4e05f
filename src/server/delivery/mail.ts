import MailComposer from 'nodemailer/lib/mail-composer';
import type { FormName } from '../../model/form-field.ts';

export interface MailAddresses {
  from: string;
  to: Record<FormName, readonly string[]>;
}

/** A mail to staff, before it is written as bytes. */
export interface Mail {
  /** Names the file in the folder and the Message-ID. A mail that is sent twice has the same name both times. */
  name: string;
  from: { name: string; address: string };
  to: readonly string[];
  replyTo?: string | undefined;
  /** The name of the mail whose thread this one belongs to. */
  inReplyTo?: string | undefined;
  subject: string;
  /** Mailboxes highlight an urgent mail, and some ring for it. */
  urgent?: boolean;
  text: string;
  html: string;
  date: Date;
  /** The references of the requests in a digest. */
  requests?: readonly string[] | undefined;
  attachment?: { filename: string; content: string } | undefined;
}

/** The name of a digest: after its first request. */
export const digestName = (reference: string): string => `held-${reference}`;
/** Lists the requests of a digest: whoever reads it has seen all of them. */
export const requestsHeader = 'X-Requests';

/** Mail programs agree on no single header for urgency; Priority and Importance are of RFC 2156. */
const urgentHeaders = { 'X-Priority': '1', Priority: 'urgent', Importance: 'high' };

export interface WrittenMail {
  name: string;
  envelope: { from: string; to: string[] };
  raw: Buffer;
}

export async function writeMail(mail: Mail): Promise<WrittenMail> {
  const domain = mail.from.address.slice(mail.from.address.lastIndexOf('@') + 1);
  const idOf = (name: string) => `<${name}@${domain}>`;
  const composer = new MailComposer({
    from: mail.from,
    to: [...mail.to],
    ...(mail.replyTo ? { replyTo: mail.replyTo } : {}),
    ...(mail.inReplyTo ? { inReplyTo: idOf(mail.inReplyTo), references: idOf(mail.inReplyTo) } : {}),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    date: mail.date,
    // Stable: a mailbox can tell that a mail that was sent twice is the same mail.
    messageId: idOf(mail.name),
    headers: {
      // No out-of-office message may be sent to the website.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(mail.urgent ? urgentHeaders : {}),
      ...(mail.requests ? { [requestsHeader]: mail.requests.join(', ') } : {}),
    },
    attachments: mail.attachment ? [{ ...mail.attachment, contentType: 'text/plain; charset=utf-8' }] : [],
    // What visitors type must not be read as the path of a file or as an address to fetch.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    name: mail.name,
    envelope: { from: mail.from.address, to: [...mail.to] },
    raw: await composer.compile().build(),
  };
}
