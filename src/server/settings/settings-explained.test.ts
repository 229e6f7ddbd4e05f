import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';
import { explainedSettings } from './settings-explained.ts';
import { settingNames } from './settings-schema.ts';

const all = explainedSettings.flatMap(({ settings }) => settings);

test('every setting is explained once, in a sentence', () => {
  expect(all.map(({ name }) => name).toSorted()).toEqual(settingNames.toSorted());
  for (const { text } of all) expect(text).toMatch(/^[^\n]+\.$/);
});

test('every example value is valid, except the one that must be replaced', () => {
  const written = all.map(({ name, example }) => `${name}=${example}`).join('\n');
  // A file of one's own, which nobody has before.
  const given: NodeJS.ProcessEnv = { ...parseEnv(written), SMTP_CA: '' };
  expect(() => readSettings(given)).toThrow(/^These settings are not right:\n {2}SEAL_TO [^\n]*$/);
  expect(() => readSettings({ ...given, SEAL_TO: '' })).not.toThrow();
});
