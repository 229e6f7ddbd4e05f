import type { MailStep } from '../../server/delivery/mail-transport.ts';

/** What to do about a step that failed, for a person who does not know mail servers. The first pattern that matches counts. */
type Advice = readonly [pattern: RegExp, todo: string];

const inNoTime: Advice = [
  /^ETIMEDOUT/,
  'No answer in time. Most often whoever hosts this machine blocks the port (25 nearly always, 465 and 587 often): ask them to open it. With port 465 write smtps://, with 587 smtp://. If both are right, the mail server is too slow: try again later.',
];

const advice: Record<MailStep['step'], readonly Advice[]> = {
  name: [
    [
      /./,
      'There is no such name. Is it spelt right in SMTP_URL? If it is, this machine may not be able to look names up: ask the company that hosts it.',
    ],
  ],
  connection: [
    [
      /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EACCES)/,
      'Nobody answers there. Is the port in SMTP_URL the one your mail provider names (most often 587 with smtp://, 465 with smtps://)? If it is, a firewall may be in the way: ask whoever hosts this machine.',
    ],
    inNoTime,
    [
      /^SMTP 5/,
      'The mail server refuses this machine. Ask your mail provider whether its address is blocked, or has to be registered with them.',
    ],
  ],
  tls: [
    inNoTime,
    [
      /EXPIRED/,
      'The certificate of the mail server has expired. The people who run it must renew it. (Is the clock of this machine right? The command date shows it.)',
    ],
    [
      /ALTNAME|HOSTNAME/,
      'The certificate of the mail server is for another name. Put the name that your mail provider gives into SMTP_URL, not a number and not a name of your own for it.',
    ],
    [
      /CERT|SIGNATURE/,
      'The certificate of the mail server cannot be verified: it is self-signed, or part of it is missing. If your own authority issued it, put that authority’s certificate into SMTP_CA; otherwise ask the people who run the mail server for a valid one. Until then no mail is sent there, because another server could be answering.',
    ],
    [
      /at STARTTLS$/,
      'The mail server does not encrypt at this port, and unencrypted no mail goes there. Most often port 587 with smtp:// or 465 with smtps:// is right: ask your mail provider.',
    ],
    [
      /./,
      'No encryption could be agreed on. Most often port 465 goes with smtps://, and 587 with smtp://: ask your mail provider.',
    ],
  ],
  'sign-in': [
    [
      /^(SMTP 5|EAUTH)/,
      'The mail server does not accept the user or the password in SMTP_URL. In it, anything but letters and digits is % and its code: @ is %40. Some providers, such as Google and Microsoft, want an app password that is made for this website.',
    ],
  ],
  sender: [
    [
      /^SMTP 53/,
      'The mail server wants a user and a password first. Write them into SMTP_URL: smtp://user:password@…',
    ],
    [
      /^SMTP 5/,
      'The mail server does not let this user send as that address, which is MAIL_BOUNCES_TO or, without one, MAIL_FROM. Use the address that belongs to the user, or ask your mail provider to allow this one.',
    ],
  ],
  recipient: [
    [/^SMTP 5.. 5\.2\.2|^SMTP 552 at RCPT TO/, 'That mailbox is full: somebody must empty it.'],
    [/^SMTP 5.. 5\.2\.1/, 'That mailbox is switched off: ask the person who looks after it.'],
    [
      /^SMTP 5.. 5\.7\..* at RCPT TO$|^SMTP 55[014] at RCPT TO$/,
      'The mail server does not accept mail for that address from you. Is it spelt right? Does SMTP_URL have a user and a password? Ask your mail provider.',
    ],
    [
      /^SMTP 5.*at RCPT TO$/,
      'The mail server knows no such mailbox. Is the address spelt right, and is the mailbox still there?',
    ],
    [
      /^SMTP 5.*at DATA$/,
      'The mail server accepted the address, and then refused the mail itself. It may take it for junk: ask your mail provider, and have MAIL_FROM be an address of a domain that is allowed to send from here (SPF, DKIM).',
    ],
    [
      /^SMTP 4/,
      'The mail server asks to try again later, as many do with senders that are new to them (greylisting). Run this again in a quarter of an hour. Requests are tried again by themselves.',
    ],
  ],
};
const others: readonly Advice[] = [
  [
    /^SMTP 4/,
    'The mail server asks to try again later. Run this again in a quarter of an hour; if it says so again, ask your mail provider.',
  ],
  [
    /^ETIMEDOUT/,
    'The mail server is too slow. Try again later; if that does not help, ask your mail provider.',
  ],
  [
    /^(ECONNECTION|ECONNRESET|EPIPE|ESOCKET)/,
    'The mail server closed the connection. Try again later; if that does not help, ask your mail provider whether this machine is blocked.',
  ],
];

export function adviseOn(step: MailStep['step'], reason: string): string {
  const found = [...advice[step], ...others].find(([pattern]) => pattern.test(reason));
  return found?.[1] ?? `Show your mail provider this line: ${reason}.`;
}
