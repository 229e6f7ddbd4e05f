import { expect, test } from 'vitest';
import { explainProblem } from './explain-problem.ts';

test.each([
  ['SMTP 552 5.2.2 at RCPT TO', 'the mailbox in MAIL_TO_… is full: somebody must empty it'],
  ['SMTP 552 5.2.2 at DATA', 'the mailbox in MAIL_TO_… is full: somebody must empty it'],
  ['SMTP 550 5.2.1 at RCPT TO', 'the mailbox in MAIL_TO_… is switched off'],
  ['SMTP 552 5.3.4 at DATA', 'the mail is larger than the mail server accepts'],
  [
    'SMTP 550 5.4.5 at DATA',
    'the mail server accepts no more mail from you for now: its daily limit is reached',
  ],
  [
    'SMTP 550 5.7.1 at RCPT TO',
    'the rules of the mail server do not allow it: it may take it for junk, or not know this website',
  ],
  ['SMTP 535 5.7.8 at AUTH PLAIN', 'the mail server does not accept the user or password in SMTP_URL'],
  ['SMTP 553 5.1.8 at RCPT TO', 'the mail server does not accept the sender in MAIL_FROM or MAIL_BOUNCES_TO'],
  ['SMTP 550 5.1.1 at RCPT TO', 'the mail server does not accept the address in MAIL_TO_…'],
  ['SMTP 550 at RCPT TO', 'the mail server does not accept the address in MAIL_TO_…'],
  [
    'SMTP 554 5.7.1 at CONN',
    'the mail server refuses this machine: it may not know it, or may have blocked it',
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE at CONN',
    'no safe connection to the mail server: its certificate or its encryption is wrong',
  ],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER at CONN',
    'no safe connection to the mail server: its certificate or its encryption is wrong',
  ],
  ['EAUTH at API', 'the mail server does not accept the user or password in SMTP_URL'],
  ['SMTP 451 4.7.1 at RCPT TO', 'the mail server asks to try again later'],
])('%s: %s', (problem, meaning) => {
  expect(explainProblem(problem)).toBe(meaning);
});
