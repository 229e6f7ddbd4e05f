import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { loadOrCreateSecret, storeSecret } from './stored-secret.ts';

test('a secret is created once, readable by its owner alone, and read again at the next start', async () => {
  const folder = temporaryFolder();
  const secret = await loadOrCreateSecret(folder);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(await loadOrCreateSecret(folder)).toBe(secret);
  expect(statSync(join(folder, 'bot-check-secret')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['bot-check-secret']);
});

test.each(['', 'half of a sec'])('a secret that a full disk left as "%s" is created anew', async (rest) => {
  const folder = temporaryFolder();
  const path = join(folder, 'bot-check-secret');
  writeFileSync(path, rest);
  const secret = await loadOrCreateSecret(folder);
  expect(secret).toMatch(/^[0-9a-f]{64}$/);
  expect(readFileSync(path, 'utf8')).toBe(secret);
  expect(await loadOrCreateSecret(folder)).toBe(secret);
});

test('a secret that several servers agreed on replaces their own', async () => {
  const folder = temporaryFolder();
  await loadOrCreateSecret(folder);
  const shared = 'a secret that several servers have agreed on';
  await storeSecret(folder, shared);
  expect(await loadOrCreateSecret(folder)).toBe(shared);
});
