import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings, writeSettings } from './settings.ts';
import { settingNames } from './settings-list.ts';

const mail = {
  SMTP_URL: 'smtp://mail.trust.example',
  MAIL_FROM: 'website@trust.example',
  MAIL_TO_HELP: 'help@trust.example',
  MAIL_TO_CONTACT: 'contact@trust.example',
};

const problems = (env: Record<string, string>) => {
  try {
    readSettings(env);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('with nothing set, everything runs on this machine alone', () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    retentionDays: 30,
    logLevel: 'info',
    sealTo: [],
  });
  expect(
    settings.databaseUrl ?? settings.mail.smtpUrl ?? settings.recaptcha ?? settings.pexels,
  ).toBeUndefined();
});

test('languages for a preview may be written in any letters, with or without spaces', () => {
  expect(readSettings({}).previewLanguages).toEqual([]);
  expect(readSettings({ PREVIEW_LANGUAGES: 'mi, ZH-hans,' }).previewLanguages).toEqual(['mi', 'zh-Hans']);
});

test('staff are reminded unless it is off or there is no mail server', () => {
  expect(readSettings(mail).reminders).toEqual({ at: '08:30', urgentWithinMs: 3_600_000 });
  expect(readSettings({ ...mail, REMINDERS: 'off' }).reminders).toBeNull();
  expect(readSettings({ REMINDERS: 'on', REMIND_AT: '07:00' }).reminders).toBeNull();
});

test('mail that is only written to a folder carries no address of the example’s', () => {
  expect(JSON.stringify(readSettings({}).mail)).not.toMatch(/kowhai|\.example/);
});

test('every bad setting is named at once, and no value is repeated', () => {
  const message = problems({
    PORT: '70000',
    PUBLIC_URL: 'ftp://secret-value',
    DATABASE_URL: 'mysql://user:secret-value@host',
    RECAPTCHA_SITE_KEY: 'secret-value',
    BOT_CHECK_SECRET: 'secret-value',
    RETENTION_DAYS: '0',
    MAIL_TO_HELP: 'secret-value',
    SMTP_URL: 'smtp://user:secret-value@mail.example',
    SEAL_TO: 'secret-value',
    LOG_LEVEL: 'loud',
  });
  const named = [...message.matchAll(/^ {2}([A-Z_]+) /gm)].map(([, name]) => name).sort();
  expect(named).toEqual([
    'BOT_CHECK_SECRET',
    'DATABASE_URL',
    'LOG_LEVEL',
    'MAIL_FROM',
    'MAIL_TO_CONTACT',
    'MAIL_TO_HELP',
    'PORT',
    'PUBLIC_URL',
    'RECAPTCHA_SECRET_KEY',
    'RETENTION_DAYS',
    'SEAL_TO',
  ]);
  expect(message).not.toContain('secret-value');
});

test('one half of the reCAPTCHA keys is a mistake, and so are both without the public address', () => {
  expect(problems({ RECAPTCHA_SECRET_KEY: 'x', PUBLIC_URL: 'https://www.kowhai.example' })).toContain(
    'RECAPTCHA_SITE_KEY must be set, because RECAPTCHA_SECRET_KEY is',
  );
  expect(problems({ RECAPTCHA_SITE_KEY: 'x', RECAPTCHA_SECRET_KEY: 'y' })).toContain(
    'PUBLIC_URL must be set',
  );
});

test('mail goes to one address or to several', () => {
  const MAIL_TO_HELP = 'help@trust.example, manager@trust.example,';
  const read = readSettings({ ...mail, MAIL_TO_HELP, MAIL_TO_ESCALATE: 'chair@elsewhere.example' }).mail;
  expect(read.to.help).toEqual(['help@trust.example', 'manager@trust.example']);
  expect(read.escalateTo).toEqual(['chair@elsewhere.example']);
  for (const wrong of ['help@trust.example manager@trust.example', ',', 'help@'])
    expect(problems({ MAIL_TO_HELP: wrong })).toContain(
      'MAIL_TO_HELP must be one e-mail address, or several',
    );
});

test('proxies are trusted by count or by address', () => {
  expect(readSettings({ TRUST_PROXY: '1' }).trustProxy).toBe(1);
  expect(readSettings({ TRUST_PROXY: '10.0.0.1, 10.0.0.2' }).trustProxy).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(readSettings({ TRUST_PROXY: '10.0.0.0/8,fd00::/8' }).trustProxy).toEqual(['10.0.0.0/8', 'fd00::/8']);
  for (const wrong of [
    'true',
    '10.0.0.0/99',
    '10.0.0.0/0',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'fd00::/129',
    '127.0.0.1,',
  ]) {
    expect(problems({ TRUST_PROXY: wrong })).toContain(
      'TRUST_PROXY must be the address of the web server in front',
    );
  }
});

test.each([
  ['DATABASE_URL', 'postgres://user:100%@database.example/name', '%25'],
  ['DATABASE_URL', 'postgres://user:CANARY@database.example:port/name', 'must be an address'],
  [
    'DATABASE_URL',
    'postgres://user:CANARY@database.example/name?sslmode=require',
    'Write sslmode=verify-full',
  ],
])('%s is refused where it cannot be used: %s', (name, value, told) => {
  const [, line = '', ...more] = problems({ ...mail, [name]: value }).split('\n');
  expect(line).toMatch(name);
  expect(line).toContain(told);
  expect(line).not.toMatch(/100|CANARY/);
  expect(more).toEqual([]);
});

test('an address of the site or of the mail server may end with a /', () => {
  expect(readSettings({ PUBLIC_URL: 'https://www.trust.example/' }).publicUrl).toBe(
    'https://www.trust.example',
  );
  for (const SMTP_URL of ['smtp://web%40trust.example:p%23@mail.trust.example:587/', 'smtps://[::1]:465'])
    expect(readSettings({ ...mail, SMTP_URL }).mail.smtpUrl).toBe(SMTP_URL);
});

test.each(['http://127.0.0.1:8080', 'http://pexels-mirror:8080', 'https://www.recaptcha.net'])(
  'another address of a service may be of the own network: %s',
  (url) => {
    expect(problems({ RECAPTCHA_URL: url, PEXELS_URL: url })).toBe('');
  },
);

test('a setting that would have no effect is named', () => {
  const told = 'PUBLIC_URL must begin with https://, because HSTS_SUBDOMAINS is on';
  expect(problems({ HSTS_SUBDOMAINS: 'on' })).toContain(told);
  expect(problems({ HSTS_SUBDOMAINS: 'on', PUBLIC_URL: 'http://www.trust.example' })).toContain(told);
  const { hstsSubdomains } = readSettings({ HSTS_SUBDOMAINS: 'on', PUBLIC_URL: 'https://www.trust.example' });
  expect(hstsSubdomains).toBe(true);
});

test('a key for a monitor is long, and has only characters allowed in a header', () => {
  for (const MONITOR_KEY of [
    'short',
    'nineteen-letters-ab',
    'twenty letters and more',
    'twenty-letters-ānd-more',
  ])
    expect(problems({ MONITOR_KEY })).toContain('MONITOR_KEY must have at least 20 letters and digits');
  expect(readSettings({ MONITOR_KEY: '0123456789abcdef0123' }).monitorKey).toBe('0123456789abcdef0123');
});

test.each([' ', ',', ' , '])(
  'answers are never left unsealed by a SEAL_TO without a recipient: %j',
  (SEAL_TO) => {
    expect(problems({ SEAL_TO })).toContain('SEAL_TO must be one or more public keys that begin with age1');
  },
);

test('docs/operating.md describes every setting, and no other', () => {
  const table = readFileSync('docs/operating.md', 'utf8').split('## All settings')[1] ?? '';
  const told = [...table.matchAll(/^\| (.*?) \|/gm)].flatMap(
    ([, cell]) => cell?.match(/[A-Z]+(_[A-Z]+)*/g) ?? [],
  );
  expect(told.sort()).toEqual([...settingNames].sort());
});

test.each(['MAIL_FROM', 'MAIL_TO_HELP', 'MAIL_TO_CONTACT', 'MAIL_TO_ESCALATE'])(
  'a lost SMTP_URL stops the start where %s says that mail is meant to leave',
  (name) => {
    expect(problems({ [name]: 'staff@trust.example' })).toContain(`SMTP_URL must be set, because ${name} is`);
  },
);

test.each([
  'http://127.0.0.1:8080/topic',
  'http://[::1]/topic',
  'http://192.168.1.5:8123/api/webhook/topic',
  'http://homeassistant.local:8123/api/webhook/topic',
  'http://signal:8080/topic',
])('an alert goes unencrypted within the own network alone: %s', (ALERT_URL) => {
  expect(readSettings({ ALERT_URL }).alert?.url).toBe(ALERT_URL);
});

test('the headers of an alert are separated by |, and are secrets as its address is', () => {
  const secrets = {
    ALERT_URL: 'https://ntfy.sh/secret-topic',
    ALERT_HEADERS: 'Authorization: Bearer tk_secret|Priority:urgent ',
  };
  expect(readSettings(secrets).alert).toEqual({
    url: 'https://ntfy.sh/secret-topic',
    body: 'json',
    headers: [
      ['Authorization', 'Bearer tk_secret'],
      ['Priority', 'urgent'],
    ],
  });
  expect(readSettings({}).alert).toBeUndefined();
  expect(writeSettings(false, secrets)).not.toMatch(/topic|tk_secret/);
});
