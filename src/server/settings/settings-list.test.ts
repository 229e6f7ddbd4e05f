import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readSettings, writeSettings } from './settings.ts';
import { settingNames, settings } from './settings-list.ts';

test('every setting is explained in a sentence', () => {
  for (const name of settingNames) expect(settings[name].text, name).toMatch(/^[^\n]+\.$/);
});

test('what is named like a secret is one, unless visitors or anybody may read it', () => {
  const alike = settingNames.filter((name) => /KEY|SECRET|PASS|TOKEN|HEADERS|_URL$/.test(name));
  expect(alike.filter((name) => !settings[name].isSecret)).toEqual([
    ...['PUBLIC_URL', 'CANARY_URL', 'RECAPTCHA_SITE_KEY', 'RECAPTCHA_URL', 'PEXELS_URL'],
  ]);
});

test('a backup without secrets has none of them, and all else', () => {
  const examples = Object.fromEntries(settingNames.map((name) => [name, settings[name].example]));
  const left = parseEnv(writeSettings(false, examples));
  expect(Object.keys(left).toSorted()).toEqual(
    settingNames.filter((name) => !settings[name].isSecret).toSorted(),
  );
});

test('every example value is valid, except the one that must be replaced', () => {
  const written = settingNames.map((name) => `${name}=${settings[name].example}`).join('\n');
  // A file of one's own, which nobody has before.
  const given: NodeJS.ProcessEnv = { ...parseEnv(written), SMTP_CA: '' };
  expect(() => readSettings(given)).toThrow(/^These settings are not right:\n {2}SEAL_TO [^\n]*$/);
  expect(() => readSettings({ ...given, SEAL_TO: '' })).not.toThrow();
});
