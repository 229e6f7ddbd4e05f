import { expect, test } from 'vitest';
import { BadSettings, readSettings } from './settings.ts';

const mail = {
  MAIL_FROM: 'web@trust.example',
  MAIL_TO_HELP: 'a@trust.example',
  MAIL_TO_CONTACT: 'b@trust.example',
};
const mailed = { ...mail, SMTP_URL: 'smtp://mail.trust.example' };
const alerting = { ALERT_URL: 'https://ntfy.sh/topic' };
/** What is set too, so that nothing else is wrong. */
const beside: Record<string, Record<string, string>> = {
  SMTP_URL: mail,
  MAIL_FROM: mailed,
  MAIL_TO_HELP: mailed,
  ALERT_HEADERS: alerting,
  ALERT_BODY: alerting,
};

const notOneServer =
  'must name one server and nothing behind it, such as smtp://user:password@mail.trust.example:587; in the user and in the password write %40 for @, %2F for /, %23 for # and %3F for ?';
const notBeforeServer =
  'must have its @ right before the server: in the user and in the password write %40 for @, %2F for /, %23 for # and %3F for ?';
const encodedServer =
  'has an encoded sign in the name of its server: write the : and the @ between user, password and server as they are';
const noUser = 'has no user before its password: write smtp://user:password@mail.trust.example, or neither';
const unseenSign =
  'has a tab or a line break in it: in the password write %09 for a tab, and %0A for a line break';
const percent = 'has a % that stands for no character: write %25 for the % itself';
const notAddress = 'must be a web address, such as https://www.trust.example';
const notOneSite =
  'must be the address of the whole site, without a path or a password, such as https://www.trust.example';
const notEncrypted =
  'must begin with https://, or anybody on the way could see it; http:// is for your own network alone';
const withPassword = 'must have no user and no password in it: ALERT_HEADERS is for them';
const notPort = 'must be a whole number from 0 to 65535';
const removed =
  'is no setting any more. Remove it: metrics are at /metrics on PORT (docs/upgrading.md, To 2.0)';
const notProxy =
  'must be the address of the web server in front, such as 127.0.0.1 or 10.0.0.0/8, several separated by commas; or how many there are, such as 1';
const privateKey =
  'has a private key in it: take it off this machine, and write the public key, which begins with age1';
const notRecipient = 'must be one or more public keys that begin with age1, separated by commas';
const notTags = 'must be the tag of a language, such as mi, or several separated by commas';
const notAddresses = 'must be one e-mail address, or several separated by commas';
const notHeaders = 'must be Name: value, several with | between them, in letters, digits and signs of ASCII';
const ownHeader = 'must not name Host, Content-Type or others that the website sets itself';

test.each([
  ['words for a number', 'PORT', 'three thousand', notPort],
  ['a number out of bounds', 'PORT', '99999', notPort],
  ['a setting that was removed', 'METRICS_HOST', '0.0.0.0', removed],
  ['a unit', 'RETENTION_DAYS', '30 days', 'must be a whole number from 1 to 3650'],
  ['a time without minutes', 'REMIND_AT', '8', 'must be a time in New Zealand, such as 08:30'],
  ['seconds for minutes', 'URGENT_WITHIN_MINUTES', '3600', 'must be a whole number from 5 to 1440'],
  ['an address without https://', 'PUBLIC_URL', 'www.trust.example', notAddress],
  ['a path', 'PUBLIC_URL', 'https://www.trust.example/help', notOneSite],
  ['a query', 'PUBLIC_URL', 'https://www.trust.example/?page=1', notOneSite],
  ['a password', 'PUBLIC_URL', 'https://user:secret@www.trust.example', notOneSite],
  ['no smtp://', 'SMTP_URL', 'mail.trust.example:587', 'must begin with smtp:// or smtps://'],
  ['a password with a / in it', 'SMTP_URL', 'smtp://user:pass/word@mail.trust.example', notOneServer],
  // Each of these was read as a server, and printed as one: with half of the password in its name.
  ['a password with a # in it', 'SMTP_URL', 'smtp://user:12#34@mail.example', notOneServer],
  ['a password with a ? in it', 'SMTP_URL', 'smtp://user:12?34@mail.example', notOneServer],
  ['a number and a / in a password', 'SMTP_URL', 'smtp://user:12/34@mail.example', notOneServer],
  ['a second @', 'SMTP_URL', 'smtp://web@trust.example:half@half', notOneServer],
  ['an option', 'SMTP_URL', 'smtp://mail.example?pool=true', notOneServer],
  ['an encoded : and @', 'SMTP_URL', 'smtp://user%3Asecret%40mail.example', encodedServer],
  ['a password without a user', 'SMTP_URL', 'smtp://:secret@mail.example', noUser],
  ['a tab in a password', 'SMTP_URL', 'smtp://user:sec\tret@mail.example', unseenSign],
  ['a line end in a password', 'SMTP_URL', 'smtp://user:sec\nret@mail.example', unseenSign],
  ['a carriage return in a password', 'SMTP_URL', 'smtp://user:sec\rret@mail.example', unseenSign],
  ['a password with a % in it', 'SMTP_URL', 'smtp://user:100%@mail.trust.example', percent],
  ['another database', 'DATABASE_URL', 'mysql://localhost/awhina', 'must begin with postgres://'],
  ['an encoded @', 'DATABASE_URL', 'postgres://user%3Asecret%40database.example/name', encodedServer],
  ['a tab in a password', 'DATABASE_URL', 'postgres://user:sec\tret@database.example/name', unseenSign],
  ['a / in a password', 'DATABASE_URL', 'postgres://user:12/34@database.example/name', notBeforeServer],
  ['a private key', 'SEAL_TO', 'AGE-SECRET-KEY-1QQQQ', privateKey],
  ['a key that is not whole', 'SEAL_TO', 'age1qqqq', notRecipient],
  ['a service that does not encrypt', 'RECAPTCHA_URL', 'http://www.recaptcha.net', notEncrypted],
  ['a service that does not encrypt', 'PEXELS_URL', 'http://api.pexels.com', notEncrypted],
  ['the name of a language for its tag', 'PREVIEW_LANGUAGES', 'te reo Māori', notTags],
  ['addresses without a comma', 'MAIL_TO_HELP', 'one@trust.example two@trust.example', notAddresses],
  ['a name', 'MAIL_FROM', 'The Trust <web@trust.example>', 'must be one e-mail address, without a name'],
  ['an answer where an address belongs', 'TRUST_PROXY', 'yes', notProxy],
  ['a receiver without https://', 'ALERT_URL', 'ntfy.sh/topic', notAddress],
  ['a receiver elsewhere that does not encrypt', 'ALERT_URL', 'http://ntfy.sh/topic', notEncrypted],
  ['a password in an address', 'ALERT_URL', 'https://user:password@ntfy.sh/topic', withPassword],
  ['a header without a name', 'ALERT_HEADERS', 'Priority: urgent | token', notHeaders],
  ['a letter that no header may have', 'ALERT_HEADERS', 'Title: Āwhina', notHeaders],
  ['a header that the website sets', 'ALERT_HEADERS', 'Host: elsewhere.example', ownHeader],
  ['another body', 'ALERT_BODY', 'xml', 'must be json or text'],
])('%s, in %s', (_mistake, name, value, says) => {
  expect(problemsOf({ ...beside[name], [name]: value })).toBe(`  ${name} ${says}`);
});

test('headers of nothing', () => {
  expect(problemsOf({ ALERT_HEADERS: 'Authorization: Bearer token', ALERT_BODY: 'text' })).toBe(
    '  ALERT_URL must be set, because ALERT_BODY is\n  ALERT_URL must be set, because ALERT_HEADERS is',
  );
});

function problemsOf(env: Record<string, string>): string {
  try {
    readSettings(env);
  } catch (error) {
    expect(error).toBeInstanceOf(BadSettings);
    const [first, ...problems] = (error as Error).message.split('\n');
    expect(first).toBe('These settings are not right:');
    return problems.join('\n');
  }
  return '';
}
