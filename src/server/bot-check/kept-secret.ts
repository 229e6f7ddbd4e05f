import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../private-file.ts';

/**
 * The secret that signs bot-check challenges: made once and kept in DATA_DIR. Several servers that share a database
 * must share BOT_CHECK_SECRET instead.
 */
export function keptSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'bot-check-secret');
  try {
    // 'wx' fails where the file exists, so two starting servers agree on one secret.
    writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  makePrivate(path);
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < 32)
    throw new Error(`${path} is damaged. Delete it, and a new one is made at the next start.`);
  return secret;
}
