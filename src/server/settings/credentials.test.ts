import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { readCredentials } from './credentials.ts';
import { findFolders, readSettings, writeSettings } from './settings.ts';

const addresses = {
  MAIL_FROM: 'website@trust.example',
  MAIL_TO_HELP: 'help@trust.example',
  MAIL_TO_CONTACT: 'contact@trust.example',
};

/** A settings file with credentials beside it, and what systemd loaded for a service. */
function folders(files: { env?: string; beside?: Record<string, string>; loaded?: Record<string, string> }) {
  const folder = temporaryFolder();
  const AWHINA_ENV = join(folder, 'awhina.env');
  writeFileSync(AWHINA_ENV, files.env ?? '');
  const make = (name: string, content: Record<string, string> | undefined) => {
    const path = join(folder, name);
    if (content) mkdirSync(path);
    for (const [file, text] of Object.entries(content ?? {})) writeFileSync(join(path, file), text);
    return path;
  };
  const beside = make('credentials', files.beside);
  const loaded = make('loaded', files.loaded);
  return { folder, beside, env: { AWHINA_ENV, ...(files.loaded ? { CREDENTIALS_DIRECTORY: loaded } : {}) } };
}
const problem = (env: Record<string, string>) => {
  try {
    readSettings(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('the environment wins over a credential, and a credential over the settings file', () => {
  const { env } = folders({
    env: 'PORT=1\nRETENTION_DAYS=1\nLOG_LEVEL=warn\n',
    loaded: { PORT: '2\n', RETENTION_DAYS: '2\n' },
  });
  expect(readSettings({ ...env, PORT: '3' })).toMatchObject({ port: 3, retentionDays: 2, logLevel: 'warn' });
});

test('a command that systemd did not start reads credentials from the folder that systemd loads them from', () => {
  const { env } = folders({ beside: { SMTP_URL: 'smtp://user:pass@mail.trust.example\r\n' } });
  const settings = readSettings({ ...env, ...addresses });
  expect(settings.mail.smtpUrl).toBe('smtp://user:pass@mail.trust.example');
  expect(settings.credentials).toEqual(['SMTP_URL']);
});

test('what systemd loaded wins over the folder that it comes from', () => {
  const { env } = folders({ beside: { PORT: '1' }, loaded: { PORT: '2' } });
  expect(readSettings(env).port).toBe(2);
});

test('a credential with an unknown name is reported, unless it is not ours', () => {
  const { env, folder } = folders({ loaded: { SMPT_URL: 'CANARY', 'login.password': 'CANARY' } });
  expect(problem(env)).toBe(
    `These settings are not right:\n  ${folder}/loaded/SMPT_URL is not the name of a setting`,
  );
});

test('an encrypted credential without its key stops a command, which would use another database', () => {
  const { env, beside } = folders({ beside: { 'DATABASE_URL.cred': 'gibberish' } });
  expect(problem(env)).toContain(`${beside}/DATABASE_URL.cred is encrypted`);
  const loaded = temporaryFolder();
  writeFileSync(join(loaded, 'DATABASE_URL'), 'postgres://localhost/name');
  expect(readSettings({ ...env, CREDENTIALS_DIRECTORY: loaded }).databaseUrl).toBe(
    'postgres://localhost/name',
  );
});

// Permissions do not stop root.
test.skipIf(process.getuid?.() === 0)(
  'a credential that this user may not read stops a command too, but not a service',
  () => {
    const { env, beside } = folders({ beside: { PORT: '1' }, loaded: { PORT: '2' } });
    chmodSync(beside, 0);
    expect(problem({ AWHINA_ENV: env.AWHINA_ENV })).toContain(
      'may not be read by this user: run this as root',
    );
    expect(readSettings(env).port).toBe(2);
    chmodSync(beside, 0o700);
  },
);

test('a folder without credentials is no problem', () => {
  const none = { loaded: undefined, beside: join(temporaryFolder(), 'credentials') };
  expect(readCredentials(none)).toEqual({ values: {}, problems: [] });
});

test('a backup treats credentials as secrets, and CONTENT_DIR may be one', () => {
  const { env, folder } = folders({ beside: { PEXELS_API_KEY: 'CANARY', CONTENT_DIR: 'words' } });
  expect(writeSettings(false, env)).toMatch(/^# PEXELS_API_KEY was set, and is left out/m);
  expect(writeSettings(true, env)).toContain("PEXELS_API_KEY='CANARY'");
  expect(findFolders(env).contentDir).toBe(join(folder, 'words'));
});

test.each([
  ['"3000"', 3000],
  ["'3000'", 3000],
  ['`3000`', 3000],
])('a value in quotes, as podman hands on an --env-file, is the value: %s', (PORT, port) => {
  expect(readSettings({ PORT }).port).toBe(port);
});

test.each([
  [`smtp://user:'a'@mail.example`, `smtp://user:'a'@mail.example`],
  [`"smtp://user:'pass'@mail.example"`, `smtp://user:'pass'@mail.example`],
])('quotes within a value stay: %s', (SMTP_URL, url) => {
  expect(readSettings({ ...addresses, SMTP_URL }).mail.smtpUrl).toBe(url);
});

test('quotes that do not belong together stay, and the value is refused', () => {
  expect(problem({ PORT: `"30"00"` })).toContain('PORT must be a whole number');
  expect(problem({ PORT: `"3000'` })).toContain('PORT must be a whole number');
});
