import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { type CertificateFile, readCertificates } from '../files/certificate-file.ts';
import { isRecipient } from '../submissions/recipient.ts';
import { gatherSettings, takeOverCredentials } from './given-settings.ts';
import {
  databaseUrl,
  isNetwork,
  listOf,
  mailAddress,
  mailAddresses,
  smtpUrl,
  trimmedUrl,
  webAddress,
  wholeNumber,
} from './setting-formats.ts';
import { baseOf, readSettingsFile, type SettingsFile } from './settings-file.ts';

/** The only reader of the environment, of the settings file and of credentials. Every bad setting is named at once. */

const onOrOff = z.enum(['on', 'off'], { error: 'must be on or off' });
const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
const environment = z.object({
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  PUBLIC_URL: trimmedUrl.optional(),
  HSTS_SUBDOMAINS: onOrOff.default('off'),
  CONTENT_DIR: z.string().default('content'),
  DATA_DIR: z.string().default('data'),
  AWAY_DIR: z.string().optional(),
  DATABASE_URL: databaseUrl.optional(),
  SMTP_URL: smtpUrl.optional(),
  SMTP_CA: z.string().optional(),
  // Without SMTP_URL mail is only written to a folder: addresses that are nobody's (RFC 2606), and say what is missing.
  MAIL_FROM: mailAddress.default('website@not-set.invalid'),
  MAIL_TO_HELP: mailAddresses.default(['help@not-set.invalid']),
  MAIL_TO_CONTACT: mailAddresses.default(['contact@not-set.invalid']),
  MAIL_TO_ESCALATE: mailAddresses.default([]),
  MAIL_TO_CANARY: mailAddress.optional(),
  CANARY_AT: z
    .string()
    .regex(/^(([01]\d|2[0-3]):[0-5]\d|off)$/, 'must be a time in New Zealand, such as 16:00, or off')
    .default('16:00'),
  CANARY_URL: trimmedUrl.optional(),
  HEARTBEAT_URL: webAddress.optional(),
  WEEKLY_LETTER: onOrOff.default('on'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_HOST: z
    .string()
    .refine((host) => isIP(host) !== 0, 'must be an address of this machine in numbers, such as 127.0.0.1')
    .default('127.0.0.1'),
  MONITOR_KEY: z
    .string()
    .regex(/^[\w.~+/=-]{20,}$/, 'must have at least 20 letters and digits')
    .optional(),
  RECAPTCHA_SITE_KEY: z.string().optional(),
  RECAPTCHA_SECRET_KEY: z.string().optional(),
  RECAPTCHA_URL: trimmedUrl.default('https://www.google.com'),
  PEXELS_API_KEY: z.string().optional(),
  PEXELS_URL: trimmedUrl.default('https://api.pexels.com'),
  BOT_CHECK_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  TRUST_PROXY: z
    .string()
    .transform((value) => (/^\d+$/.test(value) ? Number(value) : listOf(value)))
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
  LOG_LEVEL: z.enum(logLevels, { error: `must be one of ${logLevels.join(', ')}` }).default('info'),
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
  if (given.HSTS_SUBDOMAINS === 'on' && !given.PUBLIC_URL?.startsWith('https:'))
    problems.push('PUBLIC_URL must begin with https://, because HSTS_SUBDOMAINS is on');
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

export type Settings = Readonly<
  ReturnType<typeof shape> & {
    /** Where they were read from, besides the environment. */
    file: string | undefined;
    /** The names of those that are credentials. */
    credentials: readonly string[];
  }
>;

function shape(env: z.output<typeof environment>, base: string, authority: CertificateFile | undefined) {
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL,
    hstsSubdomains: env.HSTS_SUBDOMAINS === 'on',
    contentDir: resolve(base, env.CONTENT_DIR),
    dataDir: resolve(base, env.DATA_DIR),
    awayDir: env.AWAY_DIR && resolve(base, env.AWAY_DIR),
    databaseUrl: env.DATABASE_URL,
    mail: {
      smtpUrl: env.SMTP_URL,
      /** Of the mail server's own authority, which is believed besides the known ones. */
      ca: authority?.certificates,
      caUntil: authority?.until,
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
    metrics: env.METRICS_PORT === undefined ? null : { host: env.METRICS_HOST, port: env.METRICS_PORT },
    monitorKey: env.MONITOR_KEY,
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

const findFile = (env: NodeJS.ProcessEnv) => readSettingsFile(env.AWHINA_ENV || undefined, settingNames);

/** The folders and the file that names them, also while other settings are wrong. */
export function findFolders(env: NodeJS.ProcessEnv = process.env) {
  const file = findFile(env);
  const { values } = gatherSettings(env, file, settingNames);
  const base = baseOf(env.AWHINA_ENV);
  return {
    contentDir: resolve(base, values.CONTENT_DIR ?? 'content'),
    dataDir: resolve(base, values.DATA_DIR ?? 'data'),
    file: file?.path,
  };
}

/** For a process of root that becomes another user: what only root may read is read before. */
export const readAsRoot = (env: NodeJS.ProcessEnv = process.env): void =>
  takeOverCredentials(env, findFile(env), settingNames);

/** @throws {BadSettings} naming every setting that is wrong, one a line, and never its value. */
export function readSettings(
  env: NodeJS.ProcessEnv = process.env,
  file: SettingsFile | null = findFile(env),
): Settings {
  const { values: given, problems, credentials } = gatherSettings(env, file, settingNames);
  const result = environment.safeParse(given);
  const messages = new Map<string, string>();
  // What else is wrong with a setting most often follows from the first.
  for (const { path, message } of result.error?.issues ?? []) {
    const name = path.join('.');
    if (!messages.has(name)) messages.set(name, message);
  }
  const base = baseOf(env.AWHINA_ENV);
  const authority = given.SMTP_CA ? readCertificates(resolve(base, given.SMTP_CA)) : undefined;
  if (authority && !authority.ok) messages.set('SMTP_CA', authority.problem);
  const lines = [
    ...problems,
    ...Array.from(messages, ([name, message]) => `${name} ${message}`),
    ...pairProblems(given),
  ];
  if (result.success && lines.length === 0 && authority?.ok !== false)
    return { ...shape(result.data, base, authority), file: file?.path, credentials };
  throw new BadSettings(`These settings are not right:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** What opens something to whoever has it. */
const secretNames = [
  'DATABASE_URL',
  'SMTP_URL',
  'HEARTBEAT_URL',
  'MONITOR_KEY',
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
  const { values: given } = gatherSettings(env, file, settingNames);
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
