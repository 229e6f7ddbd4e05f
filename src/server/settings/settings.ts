import { resolve } from 'node:path';
import type { z } from 'zod';
import { mapValues } from '../../model/map-values.ts';
import { serverForms } from '../../model/server-forms.ts';
import { type CertificateFile, readCertificates } from '../files/certificate-file.ts';
import { copyCredentialsToEnvironment, gatherSettings } from './given-settings.ts';
import { findConflicts, unseenDays } from './settings-conflicts.ts';
import { settingNames, settings, settingsSchema } from './settings-list.ts';

/** The only reader of the environment, of the settings file and of credentials. Every bad setting is named at once. */

export type Settings = Readonly<
  ReturnType<typeof toSettings> & {
    /** The settings file, where there is one. */
    file: string | undefined;
    /** The names of the settings that are credentials. */
    credentials: readonly string[];
  }
>;

function toSettings(
  env: z.output<typeof settingsSchema>,
  base: string,
  authority: CertificateFile | undefined,
) {
  return {
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL,
    hstsSubdomains: env.HSTS_SUBDOMAINS === 'on',
    contentDir: resolve(base, env.CONTENT_DIR),
    previewLanguages: env.PREVIEW_LANGUAGES,
    dataDir: resolve(base, env.DATA_DIR),
    awayDir: env.AWAY_DIR && resolve(base, env.AWAY_DIR),
    databaseUrl: env.DATABASE_URL,
    mail: {
      smtpUrl: env.SMTP_URL,
      /** An authority that is trusted for the mail server, besides those that Node knows. */
      ca: authority?.certificates,
      caExpiresAt: authority?.expiresAt,
      from: env.MAIL_FROM,
      to: mapValues(serverForms, ({ mailTo }) => env[mailTo]),
      escalateTo: env.MAIL_TO_ESCALATE,
      /** The envelope sender: who gets the reports of mail that could not be delivered. */
      bouncesTo: env.MAIL_BOUNCES_TO ?? env.MAIL_FROM,
    },
    /** When the mails of the morning come. */
    remindAt: env.REMIND_AT,
    /** Of requests that nobody has answered. Null where there are none: without SMTP_URL they would remind nobody. */
    reminders:
      env.SMTP_URL && env.REMINDERS === 'on'
        ? { at: env.REMIND_AT, urgentWithinMs: env.URGENT_WITHIN_MINUTES * 60_000 }
        : null,
    /** The request that the server sends itself once a day. Null where mail is only written to files: nothing to prove. */
    canary:
      env.SMTP_URL && env.CANARY_AT !== 'off'
        ? { at: env.CANARY_AT, to: env.MAIL_TO_CANARY, url: env.CANARY_URL ?? env.PUBLIC_URL }
        : null,
    heartbeatUrl: env.HEARTBEAT_URL,
    /** Where an urgent request is announced besides mail. All of it is secret. */
    alert: env.ALERT_URL
      ? { url: env.ALERT_URL, body: env.ALERT_BODY, headers: env.ALERT_HEADERS }
      : undefined,
    weeklyLetter: env.WEEKLY_LETTER === 'on',
    monitorKey: env.MONITOR_KEY,
    recaptcha:
      env.RECAPTCHA_SITE_KEY && env.RECAPTCHA_SECRET_KEY
        ? { siteKey: env.RECAPTCHA_SITE_KEY, secretKey: env.RECAPTCHA_SECRET_KEY, url: env.RECAPTCHA_URL }
        : undefined,
    pexels: env.PEXELS_API_KEY ? { apiKey: env.PEXELS_API_KEY, url: env.PEXELS_URL } : undefined,
    botCheckSecret: env.BOT_CHECK_SECRET,
    trustProxy: env.TRUST_PROXY,
    /** From the last time that somebody showed that they have the request. */
    retentionDays: env.RETENTION_DAYS,
    /**
     * From when it came in, for a request that nobody has seen. Null with REMINDERS=off: the trust follows requests elsewhere,
     * and each is erased `retentionDays` after a mail server accepted it.
     */
    unseenRetentionDays:
      env.REMINDERS === 'on' ? unseenDays(env.UNSEEN_RETENTION_DAYS, env.RETENTION_DAYS) : null,
    sealTo: env.SEAL_TO,
    logLevel: env.LOG_LEVEL,
  };
}

export class BadSettings extends Error {
  override name = 'BadSettings';
}

/** The folders and the file that names them, even while other settings are wrong. */
export function findFolders(env: NodeJS.ProcessEnv = process.env) {
  const { values, base, file } = gatherSettings(env);
  return {
    contentDir: resolve(base, values.CONTENT_DIR ?? 'content'),
    dataDir: resolve(base, values.DATA_DIR ?? 'data'),
    file,
  };
}

/** For a process of root that becomes another user: reads what only root may read. */
export const readAsRoot = (env: NodeJS.ProcessEnv = process.env): void => copyCredentialsToEnvironment(env);

/** @throws {BadSettings} naming every setting that is wrong, one a line, and never its value. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const { values: given, problems, credentials, file, base } = gatherSettings(env);
  const result = settingsSchema.safeParse(given);
  const messages = new Map<string, string>();
  // Of each setting only the first problem: the others most often follow from it.
  for (const { path, message } of result.error?.issues ?? []) {
    const name = path.join('.');
    if (!messages.has(name)) messages.set(name, message);
  }
  const authority = given.SMTP_CA ? readCertificates(resolve(base, given.SMTP_CA)) : undefined;
  if (authority && !authority.ok) messages.set('SMTP_CA', authority.problem);
  const lines = [
    ...problems,
    ...Array.from(messages, ([name, message]) => `${name} ${message}`),
    ...findConflicts(given),
  ];
  if (result.success && lines.length === 0 && authority?.ok !== false)
    return { ...toSettings(result.data, base, authority), file, credentials };
  throw new BadSettings(`These settings are not right:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

/** One sentence, if everybody whom MAIL_TO_ESCALATE names gets the request itself. */
export function describeSameMailbox({ to, escalateTo }: Settings['mail']): string | null {
  const help = to.help.map((address) => address.toLowerCase());
  if (escalateTo.length === 0 || !escalateTo.every((address) => help.includes(address.toLowerCase())))
    return null;
  return 'MAIL_TO_ESCALATE is in MAIL_TO_HELP too: name somebody else, who then hears of a request that nobody there has seen.';
}

/** The settings in force, as a file that readSettings can read. */
export function writeSettings(withSecrets: boolean, env: NodeJS.ProcessEnv = process.env): string {
  const { values: given } = gatherSettings(env);
  const lines = settingNames.flatMap((name) => {
    const value = given[name];
    if (!value) return [];
    if (settings[name].isSecret && !withSecrets)
      return [`# ${name} was set, and is left out: it is a secret`];
    // Quotes of a kind that is not in the value.
    const quote = ["'", '"', '`'].find((one) => !value.includes(one)) ?? '';
    return [`${name}=${quote}${value}${quote}`];
  });
  return lines.map((line) => `${line}\n`).join('');
}
