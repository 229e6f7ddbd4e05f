import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { readSettings, writeSettings } from './settings.ts';
import { readSettingsFile } from './settings-file.ts';

function write(text: string, name = 'awhina.env'): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, text);
  return path;
}
const read = (text: string) => readSettingsFile(write(text));

test('the settings file may have comments, quotes, and characters that systemd would interpret', () => {
  expect(
    read(`# how mail leaves
SMTP_URL=smtp://user:p%40ss%23@mail.trust.example:587
export MAIL_FROM = website@trust.example
DATA_DIR="/var/lib/a folder # 1" # with a space

PORT=3000 # as always
`),
  ).toMatchObject({
    problems: [],
    values: {
      SMTP_URL: 'smtp://user:p%40ss%23@mail.trust.example:587',
      MAIL_FROM: 'website@trust.example',
      DATA_DIR: '/var/lib/a folder # 1',
      PORT: '3000',
    },
  });
});

test.each([
  ['SMPT_URL=smtp://mail.trust.example', 'line 1: SMPT_URL is not the name of a setting'],
  [
    'METRICS_PORT=9464',
    'line 1: METRICS_PORT is no setting any more. Remove it: metrics are at /metrics on PORT (docs/upgrading.md, To 2.0)',
  ],
  ['\nPORT: 3000', 'line 2: is not a setting. Write NAME=value, or # before a remark'],
  ['PORT=3000\nPORT=3001', 'line 2: PORT is set twice'],
  [
    'SMTP_URL=smtp://user:pa#ss@mail',
    'line 1: SMTP_URL has a # in it, which begins a remark. Put the value in quotes',
  ],
  ['PORT="3000\n', 'a value begins with " and does not end with it'],
])('%j is named with its line', (text, problem) => {
  expect(read(text)?.problems).toEqual([problem]);
});

test('the first settings file that exists counts, and one that cannot be read is an error', () => {
  const [first, second] = [write('PORT=1'), write('PORT=2')];
  const missing = join(temporaryFolder(), 'awhina.env');
  expect(readSettingsFile(undefined, [missing, first, second])?.values).toEqual({ PORT: '1' });
  expect(readSettingsFile(undefined, [missing])).toBeNull();
  expect(readSettingsFile(missing, [first])?.problems).toEqual(['is not there. AWHINA_ENV names it']);
  const folder = join(temporaryFolder(), 'awhina.env');
  mkdirSync(folder);
  expect(readSettingsFile(undefined, [folder, first])?.problems).toEqual(['is a folder']);
});

test('the environment wins over the file, and an empty variable leaves it alone', () => {
  const path = write('PORT=4000\nRETENTION_DAYS=7\nDATA_DIR=requests\n');
  const settings = readSettings({ AWHINA_ENV: path, PORT: '5000', RETENTION_DAYS: '' });
  expect(settings).toMatchObject({ port: 5000, retentionDays: 7, file: path });
  expect(settings.dataDir).toBe(join(path, '..', 'requests'));
});

test('what is wrong in the file stops the start, with its name and line and without its values', () => {
  const path = write('SMTP_URL=smtp://user:secret@mail.trust.example\nMAIL_FORM=secret@trust.example\n');
  expect(() => readSettings({ AWHINA_ENV: path })).toThrow(
    `${path} line 2: MAIL_FORM is not the name of a setting`,
  );
  expect(() => readSettings({ AWHINA_ENV: path })).not.toThrow('secret');
});

test('the settings in force, written to a file, read back as they were', () => {
  const env = { MAIL_FROM: 'a@b.example', SMTP_URL: `smtp://u:p'#"s@host`, SEAL_TO: 'a, b', PORT: '' };
  const AWHINA_ENV = write('RETENTION_DAYS=40\nPORT=3000\n');
  expect(parseEnv(writeSettings(true, { ...env, AWHINA_ENV }))).toEqual({
    ...env,
    RETENTION_DAYS: '40',
    PORT: '3000',
  });
});
