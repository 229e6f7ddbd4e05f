import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { baseOf, readSettingsFile, type SettingsFile } from './settings-file.ts';
import { isRecipient } from './submissions/recipient.ts';

/** The only reader of the environment and of the settings file. Every bad setting is named at once. */

const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be a web address, such as https://www.trust.example',
});
const trimmedUrl = webAddress.transform((url) => url.replace(/\/+$/, ''));
const mailAddress = z.email('must be one e-mail address, without a name');
export const isMailAddress = (text: string): boolean => mailAddress.safeParse(text).success;
const mailAddresses = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
  .refine((parts) => parts.length > 0 && parts.every((part) => mailAddress.safeParse(part).success), {
    error: 'must be one e-mail address, or several separated by commas',
  });
const isServerAddress = (url: string) => URL.canParse(url) && new URL(url).hostname !== '';
const strayPercent = 'has a % that stands for no character: write %25 for the % itself';

/** Whether each % is followed by a character's code. Most often a password has one that is meant as it stands. */
function isDecodable(url: string): boolean {
  try {
    return decodeURIComponent(url) !== '';
  } catch {
    return false;
  }
}

/** `10.0.0.1`, `10.0.0.0/8`, `fd00::/8`; but not `/0`, which would be everyone. */
function isNetwork(text: string): boolean {
  const [address = '', prefix = '1', ...more] = text.split('/');
  const bits = { 4: 32, 6: 128 }[isIP(address)] ?? 0;
  return /^[1-9]\d*$/.test(prefix) && Number(prefix) <= bits && more.length === 0;
}

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${from} to ${to}`)
    .transform(Number)
    .refine((number) => number >= from && number <= to, `must be a whole number from ${from} to ${to}`);

const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  PUBLIC_URL: trimmedUrl.optional(),
  CONTENT_DIR: z.string().default('content'),
  DATA_DIR: z.string().default('data'),
  AWAY_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'must begin with postgres://')
    .refine(URL.canParse, 'must be an address, such as postgres://user:password@host:5432/database')
    .refine(isDecodable, strayPercent)
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .refine(
      isServerAddress,
      'must name a server, such as smtp://user:password@mail.trust.example:587; in a password, write %2F for /, %23 for # and %3F for ?',
    )
    .refine(isDecodable, strayPercent)
    .optional(),
  MAIL_FROM: mailAddress.default('website@kowhai.example'),
  MAIL_TO_HELP: mailAddresses.default(['help@kowhai.example']),
  MAIL_TO_CONTACT: mailAddresses.default(['contact@kowhai.example']),
  MAIL_TO_ESCALATE: mailAddresses.default([]),
  MAIL_TO_CANARY: mailAddress.optional(),
  CANARY_AT: z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|off)$/, 'must be a time in New Zealand, such as 16:00, or off')
    .default('16:00'),
  CANARY_URL: trimmedUrl.optional(),
  HEARTBEAT_URL: webAddress.optional(),
  WEEKLY_LETTER: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  RECAPTCHA_SITE_KEY: z.string().optional(),
  RECAPTCHA_SECRET_KEY: z.string().optional(),
  RECAPTCHA_URL: trimmedUrl.default('https://www.google.com'),
  PEXELS_API_KEY: z.string().optional(),
  PEXELS_URL: trimmedUrl.default('https://api.pexels.com'),
  BOT_CHECK_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  TRUST_PROXY: z
    .string()
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : value.split(',').map((part) => part.trim())))
    .refine((value) => typeof value === 'number' || value.every(isNetwork), {
      error: 'must be a number of hops, or addresses separated by commas, such as 127.0.0.1 or 10.0.0.0/8',
    })
    .optional(),
  RETENTION_DAYS: wholeNumber(1, 3650).default(30),
  SEAL_TO: z
    .string()
    .transform((value) => value.split(/[\s,]+/).filter(Boolean))
    .refine((recipients) => recipients.length > 0 && recipients.every(isRecipient), {
      error: 'must be one or more age recipients (age1…), separated by commas',
    })
    .default([]),
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'], {
      error: 'must be one of silent, fatal, error, warn, info, debug, trace',
    })
    .default('info'),
});

export const settingNames: readonly string[] = Object.keys(environment.shape);

/** What no single setting can show: those that only make sense together. */
function pairProblems(given: Record<string, string | undefined>): string[] {
  const problems: string[] = [];
  const keys = ['RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET_KEY'];
  for (const [name, other] of [keys, keys.toReversed()] as [string, string][]) {
    if (!given[name] && given[other]) problems.push(`${name} must be set, because ${other} is`);
  }
  // reCAPTCHA tells which site a token was made for; there must be something to compare it with.
  if (!given.PUBLIC_URL && given.RECAPTCHA_SITE_KEY) {
    problems.push('PUBLIC_URL must be set, because RECAPTCHA_SITE_KEY is');
  }
  for (const name of ['MAIL_FROM', 'MAIL_TO_HELP', 'MAIL_TO_CONTACT']) {
    if (!given[name] && given.SMTP_URL) problems.push(`${name} must be set, because SMTP_URL is`);
  }
  // Who said where mail goes would wait for it, while it lies in a folder that nobody looks at.
  const mailTo = ['MAIL_TO_HELP', 'MAIL_TO_CONTACT', 'MAIL_TO_ESCALATE', 'MAIL_TO_CANARY', 'MAIL_FROM'].find(
    (name) => given[name],
  );
  if (mailTo && !given.SMTP_URL)
    problems.push(
      `SMTP_URL must be set, because ${mailTo} is: without it no mail is sent. Was it lost on the way? In a systemd unit a % is written %%`,
    );
  return problems;
}

export type Settings = Readonly<ReturnType<typeof shape>>;

function shape(env: z.output<typeof environment>, base: string, file: SettingsFile | null) {
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL,
    /** Where they were read from, besides the environment. */
    file: file?.path,
    contentDir: resolve(base, env.CONTENT_DIR),
    dataDir: resolve(base, env.DATA_DIR),
    awayDir: env.AWAY_DIR && resolve(base, env.AWAY_DIR),
    databaseUrl: env.DATABASE_URL,
    mail: {
      smtpUrl: env.SMTP_URL,
      from: env.MAIL_FROM,
      to: { help: env.MAIL_TO_HELP, contact: env.MAIL_TO_CONTACT },
      escalateTo: env.MAIL_TO_ESCALATE,
    },
    /** The request that the server sends itself once a day. Where mail is only a file there is nothing to prove. */
    canary:
      env.SMTP_URL && env.CANARY_AT !== 'off'
        ? { at: env.CANARY_AT, to: env.MAIL_TO_CANARY, url: env.CANARY_URL ?? env.PUBLIC_URL }
        : null,
    heartbeatUrl: env.HEARTBEAT_URL,
    weeklyLetter: env.WEEKLY_LETTER === 'on',
    metricsPort: env.METRICS_PORT,
    recaptcha:
      env.RECAPTCHA_SITE_KEY && env.RECAPTCHA_SECRET_KEY
        ? { siteKey: env.RECAPTCHA_SITE_KEY, secretKey: env.RECAPTCHA_SECRET_KEY, url: env.RECAPTCHA_URL }
        : undefined,
    pexels: env.PEXELS_API_KEY ? { apiKey: env.PEXELS_API_KEY, url: env.PEXELS_URL } : undefined,
    botCheckSecret: env.BOT_CHECK_SECRET,
    trustProxy: env.TRUST_PROXY,
    retentionDays: env.RETENTION_DAYS,
    sealTo: env.SEAL_TO,
    logLevel: env.LOG_LEVEL,
  };
}

export class BadSettings extends Error {
  override name = 'BadSettings';
}

/** An empty variable is an unset one: that is what `FOO= npm start` and most settings files mean. */
const setOnly = (values: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

const findFile = (env: NodeJS.ProcessEnv) => readSettingsFile(env.AWHINA_ENV || undefined, settingNames);

/** Where the content is, also while other settings are wrong: `awhina check` reports on both. */
export function findContentDir(env: NodeJS.ProcessEnv = process.env): string {
  return resolve(baseOf(env.AWHINA_ENV), env.CONTENT_DIR || findFile(env)?.values.CONTENT_DIR || 'content');
}

/** @throws {BadSettings} naming every setting that is wrong, one a line, and never its value. */
export function readSettings(
  env: NodeJS.ProcessEnv = process.env,
  file: SettingsFile | null = findFile(env),
): Settings {
  const given = { ...setOnly(file?.values ?? {}), ...setOnly(env) };
  const result = environment.safeParse(given);
  const messages = new Map<string, string>();
  // What else is wrong with a setting most often follows from the first.
  for (const { path, message } of result.error?.issues ?? []) {
    const name = path.join('.');
    if (!messages.has(name)) messages.set(name, message);
  }
  const lines = [
    ...(file?.problems ?? []).map((problem) => `${file?.path} ${problem}`),
    ...Array.from(messages, ([name, message]) => `${name} ${message}`),
    ...pairProblems(given),
  ];
  if (result.success && lines.length === 0) return shape(result.data, baseOf(env.AWHINA_ENV), file);
  throw new BadSettings(`These settings are not right:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** What opens something to whoever has it. */
const secretNames = [
  'DATABASE_URL',
  'SMTP_URL',
  'HEARTBEAT_URL',
  'RECAPTCHA_SECRET_KEY',
  'PEXELS_API_KEY',
  'BOT_CHECK_SECRET',
];

/** The settings that are in force, as the file that they can be read from. */
export function writeSettings(
  withSecrets: boolean,
  env: NodeJS.ProcessEnv = process.env,
  file: SettingsFile | null = findFile(env),
): string {
  const given: Record<string, string | undefined> = { ...setOnly(file?.values ?? {}), ...setOnly(env) };
  const lines = settingNames.flatMap((name) => {
    const value = given[name];
    if (!value) return [];
    if (secretNames.includes(name) && !withSecrets)
      return [`# ${name} was set, and is left out: it is a secret`];
    // Quotes of a kind that the value has not.
    const quote = ["'", '"', '`'].find((one) => !value.includes(one)) ?? '';
    return [`${name}=${quote}${value}${quote}`];
  });
  return lines.map((line) => `${line}\n`).join('');
}
