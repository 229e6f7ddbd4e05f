import { isIP } from 'node:net';
import { z } from 'zod';
import { serverForms } from '../../model/server-forms.ts';
import { isRecipient } from '../submissions/recipient.ts';
import {
  alertUrl,
  databaseUrl,
  serviceUrl,
  siteUrl,
  smtpUrl,
  trimmedUrl,
  webAddress,
} from './server-addresses.ts';

/** Which settings there are, and what each may be. Messages follow the setting's name and never repeat its value. */

const mailAddress = z.email('must be one e-mail address, without a name');
export const isMailAddress = (text: string): boolean => mailAddress.safeParse(text).success;
const listOf = (value: string) => value.split(',').map((part) => part.trim());
const mailAddresses = z
  .string()
  .transform((value) => listOf(value).filter(Boolean))
  .refine((parts) => parts.length > 0 && parts.every(isMailAddress), {
    error: 'must be one e-mail address, or several separated by commas',
  });

/** The ones that the alert itself has, and those that `fetch` refuses. */
const ownHeaders =
  /^(host|content-.*|connection|expect|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-.*)$/i;
const alertHeaders = z
  .string()
  .transform((value) => value.split('|').map((part) => /^\s*([\w-]+)\s*:\s*(\S.*?)\s*$/.exec(part)))
  .transform((parts) => parts.map((part) => [part?.[1] ?? '', part?.[2] ?? ''] as const))
  .refine((headers) => headers.length <= 10, 'must be ten headers at most')
  .refine((headers) => headers.every(([name, value]) => name && /^[\x20-\x7e]+$/.test(value)), {
    error: 'must be Name: value, several with | between them, in letters, digits and signs of ASCII',
  })
  .refine((headers) => !headers.some(([name]) => ownHeaders.test(name)), {
    error: 'must not name Host, Content-Type or others that the website sets itself',
  });

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`; but not `/0`, which would be everyone. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '1', ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return /^[1-9]\d*$/.test(prefix) && Number(prefix) <= bits && more.length === 0;
}

function wholeNumber(from: number, to: number) {
  const message = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d+$/, message)
    .transform(Number)
    .refine((number) => number >= from && number <= to, message);
}

/** In their canonical form, which the names of the language files have too. Null where one is no tag. */
function readTags(value: string): string[] | null {
  try {
    return Intl.getCanonicalLocales(listOf(value).filter(Boolean));
  } catch {
    return null;
  }
}

const defaultRetentionDays = 30;
const defaultUnseenDays = 90;

/** How many days after it came in a request is erased that nobody has seen. */
export const unseenDays = (given: number | undefined, retentionDays: number): number =>
  given ?? Math.max(defaultUnseenDays, retentionDays);

const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' });
const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export const settingsSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  PUBLIC_URL: siteUrl.optional(),
  HSTS_SUBDOMAINS: onOrOff.default('off'),
  CONTENT_DIR: z.string().default('content'),
  PREVIEW_LANGUAGES: z
    .string()
    .transform((value, context) => {
      const tags = readTags(value);
      const error = 'must be the tag of a language, such as mi, or several separated by commas';
      if (tags === null) context.addIssue({ code: 'custom', message: error });
      return tags ?? [];
    })
    .default([]),
  DATA_DIR: z.string().default('data'),
  AWAY_DIR: z.string().optional(),
  DATABASE_URL: databaseUrl.optional(),
  SMTP_URL: smtpUrl.optional(),
  SMTP_CA: z.string().optional(),
  // Without SMTP_URL mail is only written to a folder. These addresses belong to nobody (RFC 2606), and say what is missing.
  MAIL_FROM: mailAddress.default('website@not-set.invalid'),
  MAIL_TO_HELP: mailAddresses.default(['help@not-set.invalid']),
  MAIL_TO_CONTACT: mailAddresses.default(['contact@not-set.invalid']),
  MAIL_TO_ESCALATE: mailAddresses.default([]),
  MAIL_BOUNCES_TO: mailAddress.optional(),
  MAIL_TO_CANARY: mailAddress.optional(),
  REMINDERS: onOrOff.default('on'),
  REMIND_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time in New Zealand, such as 08:30')
    .default('08:30'),
  URGENT_WITHIN_MINUTES: wholeNumber(5, 1440).default(60),
  CANARY_AT: z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|off)$/, 'must be a time in New Zealand, such as 16:00, or off')
    .default('16:00'),
  CANARY_URL: trimmedUrl.optional(),
  HEARTBEAT_URL: webAddress.optional(),
  ALERT_URL: alertUrl.optional(),
  ALERT_BODY: z.enum(['json', 'text'], { error: 'must be json or text' }).default('json'),
  ALERT_HEADERS: alertHeaders.default([]),
  WEEKLY_LETTER: onOrOff.default('on'),
  MONITOR_KEY: z
    .string()
    .regex(/^[\w.~+/=-]{20,}$/, 'must have at least 20 letters and digits')
    .optional(),
  RECAPTCHA_SITE_KEY: z.string().optional(),
  RECAPTCHA_SECRET_KEY: z.string().optional(),
  RECAPTCHA_URL: serviceUrl.default('https://www.google.com'),
  PEXELS_API_KEY: z.string().optional(),
  PEXELS_URL: serviceUrl.default('https://api.pexels.com'),
  BOT_CHECK_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  TRUST_PROXY: z
    .string()
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : listOf(value)))
    .refine((value) => typeof value === 'number' || value.every(isNetwork), {
      error:
        'must be the address of the web server in front, such as 127.0.0.1 or 10.0.0.0/8, several separated by commas; or how many there are, such as 1',
    })
    .optional(),
  RETENTION_DAYS: wholeNumber(1, 3650).default(defaultRetentionDays),
  // Ten whole working days lie within any 21 days, Christmas and Easter included (working-days.test.ts).
  UNSEEN_RETENTION_DAYS: wholeNumber(21, 3650).optional(),
  SEAL_TO: z
    .string()
    .refine((value) => !/AGE-SECRET-KEY-/i.test(value), {
      error:
        'has a private key in it: take it off this machine, and write the public key, which begins with age1',
    })
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((recipients) => recipients.length > 0 && recipients.every(isRecipient), {
      error: 'must be one or more public keys that begin with age1, separated by commas',
    })
    .default([]),
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
});

export const settingNames: readonly string[] = Object.keys(settingsSchema.shape);

const noMetricsPort =
  'is no setting any more. Remove it: metrics are at /metrics on PORT (docs/upgrading.md, To 2.0)';

/** What an older version knew, with what to do. Whoever set one would wait for what it did. */
export const removedSettings: Readonly<Record<string, string>> = {
  METRICS_PORT: noMetricsPort,
  METRICS_HOST: noMetricsPort,
};

/** Settings that open something to anyone who has them. */
export const secretNames: readonly string[] = [
  'DATABASE_URL',
  'SMTP_URL',
  'HEARTBEAT_URL',
  'ALERT_URL',
  'ALERT_HEADERS',
  'MONITOR_KEY',
  'RECAPTCHA_SECRET_KEY',
  'PEXELS_API_KEY',
  'BOT_CHECK_SECRET',
];

/** Problems between settings: those that only make sense together. */
export function findConflicts(given: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  const need = (name: string, because: string) => {
    if (!given[name] && given[because]) problems.push(`${name} must be set, because ${because} is`);
  };
  for (const name of ['ALERT_BODY', 'ALERT_HEADERS']) need('ALERT_URL', name);
  need('RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET_KEY');
  need('RECAPTCHA_SECRET_KEY', 'RECAPTCHA_SITE_KEY');
  // reCAPTCHA says which site a token was made for, which is compared with PUBLIC_URL.
  need('PUBLIC_URL', 'RECAPTCHA_SITE_KEY');
  if (given.HSTS_SUBDOMAINS === 'on' && !given.PUBLIC_URL?.startsWith('https:'))
    problems.push('PUBLIC_URL must begin with https://, because HSTS_SUBDOMAINS is on');
  const mailboxes = Object.values(serverForms).map(({ mailTo }) => mailTo);
  for (const name of ['MAIL_FROM', ...mailboxes]) need(name, 'SMTP_URL');
  // The person who set an address would wait for mail that is only written to a folder.
  const others = ['MAIL_TO_ESCALATE', 'MAIL_TO_CANARY', 'MAIL_BOUNCES_TO', 'MAIL_FROM'];
  const mailTo = [...mailboxes, ...others].find((name) => given[name]);
  if (Number(given.UNSEEN_RETENTION_DAYS) < Number(given.RETENTION_DAYS ?? defaultRetentionDays))
    problems.push('UNSEEN_RETENTION_DAYS must be at least RETENTION_DAYS');
  if (mailTo && !given.SMTP_URL)
    problems.push(
      `SMTP_URL must be set, because ${mailTo} is: without it no mail is sent. Was it lost on the way? In a systemd unit a % is written %%`,
    );
  return problems;
}
