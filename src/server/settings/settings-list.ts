import { z } from 'zod';
import { mapValues } from '../../model/map-values.ts';
import {
  alertUrl,
  databaseUrl,
  serviceUrl,
  siteUrl,
  smtpUrl,
  trimmedUrl,
  webAddress,
} from './server-addresses.ts';
import {
  alertBody,
  alertHeaders,
  anyText,
  languageTags,
  logLevel,
  mailAddress,
  mailAddresses,
  monitorKey,
  onOrOff,
  proxies,
  recipients,
  timeOfDay,
  timeOrOff,
  wholeNumber,
} from './setting-shapes.ts';

/** One entry for each setting, in the order in which a person who goes public needs them. */

const entry =
  (isSecret: boolean) =>
  /** @param text the sentence that `awhina init` writes above it. @param example its value there, until a person changes it. */
  <Shape extends z.ZodType>(text: string, example: string, shape: Shape) => ({
    text,
    example,
    shape,
    isSecret,
  });
const open = entry(false);
/** Opens something to anyone who has it: a backup leaves it out. */
const secret = entry(true);

export const defaultRetentionDays = 30;

export const settings = {
  PUBLIC_URL: open(
    'Its address on the web. Without it the site is for trying out.',
    'https://www.trust.example',
    siteUrl.optional(),
  ),
  HSTS_SUBDOMAINS: open(
    'on: browsers speak to every name below that address by https alone, for a year. Only where all of them can.',
    'off',
    onOrOff.default('off'),
  ),
  HOST: open('The address of this machine that it listens on.', '127.0.0.1', anyText.default('127.0.0.1')),
  PORT: open('The port that it listens on.', '3000', wholeNumber(0, 65_535).default(3000)),
  TRUST_PROXY: open(
    'The web server in front of it, which is trusted to say what a visitor’s address is.',
    '127.0.0.1',
    proxies.optional(),
  ),
  SMTP_URL: secret(
    'The mail server. In the password, anything but letters and digits is % and its code: @ is %40.',
    'smtp://user:password@mail.trust.example:587',
    smtpUrl.optional(),
  ),
  SMTP_CA: open(
    'A file with the certificate of your own authority, if it issued that of the mail server.',
    '/etc/awhina/mail-ca.pem',
    anyText.optional(),
  ),
  // Without SMTP_URL mail is only written to a folder. These addresses belong to nobody (RFC 2606), and say what is missing.
  MAIL_FROM: open(
    'The sender. Somebody must read what comes back to it.',
    'website@trust.example',
    mailAddress.default('website@not-set.invalid'),
  ),
  MAIL_TO_HELP: open(
    'Who gets requests for help. Several, with commas between them.',
    'help@trust.example',
    mailAddresses.default(['help@not-set.invalid']),
  ),
  MAIL_TO_CONTACT: open(
    'Who gets messages.',
    'office@trust.example',
    mailAddresses.default(['contact@not-set.invalid']),
  ),
  MAIL_TO_ESCALATE: open(
    'Who is told of an urgent request that nobody takes, and of any request that nobody has seen. Somebody outside your team’s mailbox.',
    'manager@elsewhere.example',
    mailAddresses.default([]),
  ),
  MAIL_BOUNCES_TO: open(
    'Who gets the reports of mail that could not be delivered. Somebody must read them. Without it MAIL_FROM gets them.',
    'office@trust.example',
    mailAddress.optional(),
  ),
  ALERT_URL: secret(
    'Where an urgent request is posted to at once, and once a day how many nobody has seen. Keep it secret. awhina test-alert tries it.',
    'https://ntfy.sh/a-long-name-that-nobody-guesses',
    alertUrl.optional(),
  ),
  ALERT_BODY: open(
    'json: {"reference": …, "urgent": true, "text": …}. text: the sentence alone, as ntfy shows it.',
    'text',
    alertBody.default('json'),
  ),
  ALERT_HEADERS: secret(
    'Headers that the receiver wants, such as a token. Several, with | between them.',
    'Authorization: Bearer token | Priority: urgent',
    alertHeaders.default([]),
  ),
  REMINDERS: open(
    'Staff are reminded by mail of what nobody has answered. off: they are not, and what nobody has seen is erased after RETENTION_DAYS.',
    'on',
    onOrOff.default('on'),
  ),
  REMIND_AT: open(
    'When that mail comes, in New Zealand, on working days, if anything waits for too long.',
    '08:30',
    timeOfDay.default('08:30'),
  ),
  URGENT_WITHIN_MINUTES: open(
    'After how long staff and MAIL_TO_ESCALATE are told of an urgent request that nobody has taken.',
    '60',
    wholeNumber(5, 1440).default(60),
  ),
  CANARY_AT: open(
    'When the server sends itself a test request each day, to check that requests reach you. off: never.',
    '16:00',
    timeOrOff.default('16:00'),
  ),
  MAIL_TO_CANARY: open(
    'A mailbox that nobody reads, for the mail of that request.',
    'canary@trust.example',
    mailAddress.optional(),
  ),
  CANARY_URL: open(
    'Where to send it, if this machine cannot reach PUBLIC_URL.',
    'http://127.0.0.1:3000',
    trimmedUrl.optional(),
  ),
  HEARTBEAT_URL: secret(
    'Called after each such success, unless nobody has seen a request in time. A watchdog there tells you when the calls stop.',
    'https://watchdog.example/your-own-address',
    webAddress.optional(),
  ),
  WEEKLY_LETTER: open(
    'On Mondays each mailbox gets a letter. Somebody presses its link, which shows that the mailbox is read. off: no letter.',
    'on',
    onOrOff.default('on'),
  ),
  MONITOR_KEY: secret(
    'At least 20 characters. A monitor or Prometheus elsewhere that sends it (Authorization: Bearer …) is told what is wrong.',
    '0123456789abcdef01234567',
    monitorKey.optional(),
  ),
  CONTENT_DIR: open('The folder with your words and pictures.', 'content', anyText.default('content')),
  PREVIEW_LANGUAGES: open(
    'Languages that are not offered yet, shown at their addresses (/mi) to the people who check them.',
    'mi',
    languageTags.default([]),
  ),
  DATA_DIR: open('The folder with the requests. Back it up.', 'data', anyText.default('data')),
  AWAY_DIR: open(
    'Where to write the page that the web server shows while the site is down. Everybody may read it.',
    '/var/cache/awhina',
    anyText.optional(),
  ),
  DATABASE_URL: secret(
    'PostgreSQL instead of a file in DATA_DIR, for several servers that share the work.',
    'postgres://user:password@host:5432/database',
    databaseUrl.optional(),
  ),
  RETENTION_DAYS: open(
    'How many days after your team last dealt with it a request is erased.',
    '30',
    wholeNumber(1, 3650).default(defaultRetentionDays),
  ),
  // Ten whole working days lie within any 21 days, Christmas and Easter included (working-days.test.ts).
  UNSEEN_RETENTION_DAYS: open(
    'How many days after it came in a request is erased that nobody has seen: 21 or more, and not fewer than RETENTION_DAYS.',
    '90',
    wholeNumber(21, 3650).optional(),
  ),
  SEAL_TO: open(
    'Seals answers, so that only people who have the key can read them. awhina keygen makes one.',
    'age1...',
    recipients.default([]),
  ),
  RECAPTCHA_SITE_KEY: open(
    'reCAPTCHA v3 instead of our own bot check: both keys, and PUBLIC_URL. Visitors then talk to Google.',
    'site-key',
    anyText.optional(),
  ),
  RECAPTCHA_SECRET_KEY: secret('The other of the two.', 'secret-key', anyText.optional()),
  RECAPTCHA_URL: open(
    'Another address of that service.',
    'https://www.recaptcha.net',
    serviceUrl.default('https://www.google.com'),
  ),
  PEXELS_API_KEY: secret('Photos from Pexels, fetched by the server.', 'api-key', anyText.optional()),
  PEXELS_URL: open(
    'Another address of that service.',
    'https://api.pexels.com',
    serviceUrl.default('https://api.pexels.com'),
  ),
  BOT_CHECK_SECRET: secret(
    'At least 32 characters. Without it one is made, and kept in DATA_DIR.',
    '0123456789abcdef0123456789abcdef',
    z.string().min(32, 'must have at least 32 characters').optional(),
  ),
  LOG_LEVEL: open('silent, fatal, error, warn, info, debug or trace.', 'info', logLevel.default('info')),
};

type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

type Shapes = { [Name in SettingName]: (typeof settings)[Name]['shape'] };
export const settingsSchema = z.object(mapValues(settings, ({ shape }) => shape) as Shapes);

/** What `awhina init` writes above the first setting of a group. */
export const groupHeadings: Partial<Record<SettingName, string>> = {
  PUBLIC_URL: 'Where the site is',
  SMTP_URL:
    'Mail to staff: SMTP_URL and the three addresses, or none. Without them each mail is a file in DATA_DIR/mail',
  ALERT_URL:
    'An alert besides the mail, for urgent requests. It has nothing of the request but its reference; who gets it learns when it came in',
  REMINDERS: 'Until somebody has answered. site.yaml says after how many working days (remindAfter)',
  CANARY_AT: 'Proof that it works tonight',
  CONTENT_DIR: 'What is kept, where and for how long',
  RECAPTCHA_SITE_KEY: 'Other companies’ services. Without them nothing about a visitor leaves this machine',
  BOT_CHECK_SECRET: 'Only if you know why',
};
