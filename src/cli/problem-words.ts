/** What a delivery's last problem means, for someone who does not know mail servers. The first that fits is said. */
const meanings: [pattern: RegExp, meaning: string][] = [
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH)/, 'nobody answers at the address in SMTP_URL'],
  [/^(EDNS|ENOTFOUND|EAI_)/, 'the name of the mail server in SMTP_URL cannot be found'],
  [/^ETIMEDOUT/, 'the mail server did not answer in time'],
  [/^(ECONNECTION|ECONNRESET|EPIPE|ESOCKET)/, 'the mail server broke the connection off'],
  [
    /CERT|ALTNAME|^ETLS|at STARTTLS$/,
    'no safe connection to the mail server: its certificate or its encryption is wrong',
  ],
  [/^SMTP 53[0458]|at AUTH/, 'the mail server does not accept the user or password in SMTP_URL'],
  [
    /^SMTP 5.. 5\.1\.|^SMTP 5..( [\d.]+)? at RCPT TO/,
    'the mail server does not accept the address in MAIL_TO_…',
  ],
  [/^SMTP 5..( [\d.]+)? at MAIL FROM/, 'the mail server does not accept the address in MAIL_FROM'],
  [/^SMTP 5/, 'the mail server refuses this mail'],
  [/^SMTP 4/, 'the mail server asks to try again later'],
  [/at the mail folder$/, 'the mail could not be written to the folder of mails: is the disk full?'],
  [/^more than one mail$/, 'it was held back with many others, which come in several mails'],
  [/at writing$/, 'the mail could not be put together, which is a mistake in this software'],
];

export function explainProblem(lastError: string): string {
  return meanings.find(([pattern]) => pattern.test(lastError))?.[1] ?? 'an unusual problem';
}
