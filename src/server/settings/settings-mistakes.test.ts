import { expect, test } from 'vitest';
import { BadSettings, readSettings } from './settings.ts';

const mail = {
  MAIL_FROM: 'web@trust.example',
  MAIL_TO_HELP: 'a@trust.example',
  MAIL_TO_CONTACT: 'b@trust.example',
};

const notOneServer =
  'must name one server and nothing behind it, such as smtp://user:password@mail.trust.example:587; in the user and in the password write %40 for @, %2F for /, %23 for # and %3F for ?';
const encodedServer =
  'has an encoded sign in the name of its server: write the : and the @ between user, password and server as they are';
const unseenSign =
  'has a tab or a line break in it: in the password write %09 for a tab, and %0A for a line break';
const notOneSite =
  'must be the address of the whole site, without a path or a password, such as https://www.trust.example';
const notEncrypted =
  'must begin with https://, or anybody on the way could see it; http:// is for your own network alone';

test.each<[string, Record<string, string>, string]>([
  ['words for a number', { PORT: 'three thousand' }, 'PORT must be a whole number from 0 to 65535'],
  ['a number out of bounds', { PORT: '99999' }, 'PORT must be a whole number from 0 to 65535'],
  [
    'a setting that was removed',
    { METRICS_HOST: '0.0.0.0' },
    'METRICS_HOST is no setting any more. Remove it: metrics are at /metrics on PORT (docs/upgrading.md, To 2.0)',
  ],
  ['a unit', { RETENTION_DAYS: '30 days' }, 'RETENTION_DAYS must be a whole number from 1 to 3650'],
  ['a time without minutes', { REMIND_AT: '8' }, 'REMIND_AT must be a time in New Zealand, such as 08:30'],
  [
    'seconds for minutes',
    { URGENT_WITHIN_MINUTES: '3600' },
    'URGENT_WITHIN_MINUTES must be a whole number from 5 to 1440',
  ],
  [
    'an address without https://',
    { PUBLIC_URL: 'www.trust.example' },
    'PUBLIC_URL must be a web address, such as https://www.trust.example',
  ],
  [
    'a mail server without smtp://',
    { ...mail, SMTP_URL: 'mail.trust.example:587' },
    'SMTP_URL must begin with smtp:// or smtps://',
  ],
  [
    'a password with a / in it',
    { ...mail, SMTP_URL: 'smtp://user:pass/word@mail.trust.example' },
    `SMTP_URL ${notOneServer}`,
  ],
  // Each of these was read as a server, and printed as one: with half of the password in its name.
  [
    'a password with a # in it',
    { ...mail, SMTP_URL: 'smtp://user:12#34@mail.example' },
    `SMTP_URL ${notOneServer}`,
  ],
  [
    'a password with a ? in it',
    { ...mail, SMTP_URL: 'smtp://user:12?34@mail.example' },
    `SMTP_URL ${notOneServer}`,
  ],
  [
    'a number and a / in a password',
    { ...mail, SMTP_URL: 'smtp://user:12/34@mail.example' },
    `SMTP_URL ${notOneServer}`,
  ],
  ['a second @', { ...mail, SMTP_URL: 'smtp://web@trust.example:half@half' }, `SMTP_URL ${notOneServer}`],
  [
    'a user and a password whose : and @ are encoded too',
    { ...mail, SMTP_URL: 'smtp://user%3Asecret%40mail.example' },
    `SMTP_URL ${encodedServer}`,
  ],
  [
    'a database with an @ that is encoded',
    { DATABASE_URL: 'postgres://user%3Asecret%40database.example/name' },
    `DATABASE_URL ${encodedServer}`,
  ],
  [
    'a password without a user',
    { ...mail, SMTP_URL: 'smtp://:secret@mail.example' },
    'SMTP_URL has no user before its password: write smtp://user:password@mail.trust.example, or neither',
  ],
  ...['\t', '\n', '\r'].map((sign): [string, Record<string, string>, string] => [
    `${JSON.stringify(sign)} in a password`,
    { ...mail, SMTP_URL: `smtp://user:sec${sign}ret@mail.example` },
    `SMTP_URL ${unseenSign}`,
  ]),
  [
    'a tab in a password of the database',
    { DATABASE_URL: 'postgres://user:sec\tret@database.example/name' },
    `DATABASE_URL ${unseenSign}`,
  ],
  ['an option', { ...mail, SMTP_URL: 'smtp://mail.example?pool=true' }, `SMTP_URL ${notOneServer}`],
  [
    'a password of the database with a / in it',
    { DATABASE_URL: 'postgres://user:12/34@database.example/name' },
    'DATABASE_URL must have its @ right before the server: in the user and in the password write %40 for @, %2F for /, %23 for # and %3F for ?',
  ],
  ['a path', { PUBLIC_URL: 'https://www.trust.example/help' }, `PUBLIC_URL ${notOneSite}`],
  ['a query', { PUBLIC_URL: 'https://www.trust.example/?page=1' }, `PUBLIC_URL ${notOneSite}`],
  ['a password', { PUBLIC_URL: 'https://user:secret@www.trust.example' }, `PUBLIC_URL ${notOneSite}`],
  [
    'a private key',
    { SEAL_TO: 'AGE-SECRET-KEY-1QQQQ' },
    'SEAL_TO has a private key in it: take it off this machine, and write the public key, which begins with age1',
  ],
  [
    'another reCAPTCHA that does not encrypt',
    { RECAPTCHA_URL: 'http://www.recaptcha.net' },
    `RECAPTCHA_URL ${notEncrypted}`,
  ],
  [
    'another Pexels that does not encrypt',
    { PEXELS_URL: 'http://api.pexels.com' },
    `PEXELS_URL ${notEncrypted}`,
  ],
  [
    'a password with a % in it',
    { ...mail, SMTP_URL: 'smtp://user:100%@mail.trust.example' },
    'SMTP_URL has a % that stands for no character: write %25 for the % itself',
  ],
  [
    'the name of a language for its tag',
    { PREVIEW_LANGUAGES: 'te reo Māori' },
    'PREVIEW_LANGUAGES must be the tag of a language, such as mi, or several separated by commas',
  ],
  [
    'another database',
    { DATABASE_URL: 'mysql://localhost/awhina' },
    'DATABASE_URL must begin with postgres://',
  ],
  [
    'addresses without a comma',
    { ...mail, MAIL_TO_HELP: 'one@trust.example two@trust.example', SMTP_URL: 'smtp://mail.trust.example' },
    'MAIL_TO_HELP must be one e-mail address, or several separated by commas',
  ],
  [
    'a name beside an address',
    { ...mail, MAIL_FROM: 'The Trust <web@trust.example>', SMTP_URL: 'smtp://mail.trust.example' },
    'MAIL_FROM must be one e-mail address, without a name',
  ],
  [
    'an answer where a number or an address belongs',
    { TRUST_PROXY: 'yes' },
    'TRUST_PROXY must be the address of the web server in front, such as 127.0.0.1 or 10.0.0.0/8, several separated by commas; or how many there are, such as 1',
  ],
  [
    'a key that is not whole',
    { SEAL_TO: 'age1qqqq' },
    'SEAL_TO must be one or more public keys that begin with age1, separated by commas',
  ],
  [
    'a receiver of alerts without https://',
    { ALERT_URL: 'ntfy.sh/topic' },
    'ALERT_URL must be a web address, such as https://www.trust.example',
  ],
  [
    'a receiver elsewhere that does not encrypt',
    { ALERT_URL: 'http://ntfy.sh/topic' },
    'ALERT_URL must begin with https://, or anybody on the way could see it; http:// is for your own network alone',
  ],
  [
    'a password in the address of a receiver',
    { ALERT_URL: 'https://user:password@ntfy.sh/topic' },
    'ALERT_URL must have no user and no password in it: ALERT_HEADERS is for them',
  ],
  [
    'headers of nothing',
    { ALERT_HEADERS: 'Authorization: Bearer token', ALERT_BODY: 'text' },
    'ALERT_URL must be set, because ALERT_BODY is\n  ALERT_URL must be set, because ALERT_HEADERS is',
  ],
  [
    'a header without a name',
    { ALERT_URL: 'https://ntfy.sh/topic', ALERT_HEADERS: 'Priority: urgent | token' },
    'ALERT_HEADERS must be Name: value, several with | between them, in letters, digits and signs of ASCII',
  ],
  [
    'a header with a letter that no header may have',
    { ALERT_URL: 'https://ntfy.sh/topic', ALERT_HEADERS: 'Title: Āwhina' },
    'ALERT_HEADERS must be Name: value, several with | between them, in letters, digits and signs of ASCII',
  ],
  [
    'a header that the website sets',
    { ALERT_URL: 'https://ntfy.sh/topic', ALERT_HEADERS: 'Host: elsewhere.example' },
    'ALERT_HEADERS must not name Host, Content-Type or others that the website sets itself',
  ],
  [
    'another body',
    { ALERT_URL: 'https://ntfy.sh/topic', ALERT_BODY: 'xml' },
    'ALERT_BODY must be json or text',
  ],
])('a setting: %s', (_mistake, env, says) => {
  let message = '';
  try {
    readSettings(env);
  } catch (error) {
    expect(error).toBeInstanceOf(BadSettings);
    message = (error as Error).message;
  }
  expect(message).toBe(`These settings are not right:\n  ${says}`);
});
