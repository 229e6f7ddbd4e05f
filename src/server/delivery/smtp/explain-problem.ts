/** What a delivery's last problem means, for people who do not know mail servers. The first match counts. */
const meanings: [pattern: RegExp, meaning: string][] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'no mail server answers at the address in SMTP_URL'],
  [/^(EDNS|ENOTFOUND|EAI_)/, 'the name of the mail server in SMTP_URL cannot be found'],
  [/^ETIMEDOUT/, 'the mail server did not answer in time'],
  [/^(ECONNECTION|ECONNRESET|EPIPE|ESOCKET)/, 'the mail server closed the connection'],
  [
    /CERT|SIGNATURE|ALTNAME|^(ETLS|EPROTO$|ERR_SSL)|at STARTTLS$/,
    'no safe connection to the mail server: its certificate or its encryption is wrong',
  ],
  [/^SMTP 53[0458]|^EAUTH|at AUTH/, 'the mail server does not accept the user or password in SMTP_URL'],
  [
    /^SMTP 5..( [\d.]+)? at (CONN|EHLO|HELO)$/,
    'the mail server refuses this machine: it may not know it, or may have blocked it',
  ],
  [/^SMTP 5.. 5\.2\.2|^SMTP 552 at RCPT TO/, 'the mailbox in MAIL_TO_… is full: somebody must empty it'],
  [/^SMTP 5.. 5\.2\.1/, 'the mailbox in MAIL_TO_… is switched off'],
  [/^SMTP 5.. 5\.3\.4|^EMESSAGE|^SMTP 552 .*at DATA/, 'the mail is larger than the mail server accepts'],
  [/^SMTP 5.. 5\.3\./, 'the mail server has a problem of its own'],
  [/^SMTP 5.. 5\.4\.5/, 'the mail server accepts no more mail from you for now: its daily limit is reached'],
  [/^SMTP 5.. 5\.4\./, 'the mail server cannot reach the mailbox in MAIL_TO_…'],
  [
    /^SMTP 5.. 5\.7\./,
    'the rules of the mail server do not allow it: it may take it for junk, or not know this website',
  ],
  [
    /^SMTP 5.. 5\.1\.[78]|^SMTP 5..( [\d.]+)? at MAIL FROM/,
    'the mail server does not accept the sender in MAIL_FROM or MAIL_BOUNCES_TO',
  ],
  [
    /^SMTP 5.. 5\.1\.|^SMTP 5..( [\d.]+)? at RCPT TO/,
    'the mail server does not accept the address in MAIL_TO_…',
  ],
  [/^SMTP 5/, 'the mail server refuses this mail'],
  [/^SMTP 4/, 'the mail server asks to try again later'],
  [/at the mail folder$/, 'the mail could not be written to the folder of mails: is the disk full?'],
  [/^more than one mail$/, 'it was held back with many others, which come in several mails'],
  [/^is being moved$/, 'it is in both databases after a lost connection, and is mailed once that is settled'],
  [/at writing$/, 'the mail could not be written, which is a mistake in this software'],
];

export function explainProblem(lastError: string): string {
  return meanings.find(([pattern]) => pattern.test(lastError))?.[1] ?? 'an unusual problem';
}
