import { randomBytes } from 'node:crypto';
import {
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../files/private-file.ts';
import { writeSynced } from '../files/synced-file.ts';

/** A shorter secret was not written completely. */
const leastLength = 32;

const pathIn = (dataDir: string) => join(dataDir, 'bot-check-secret');

/** The secret that signs bot-check challenges, created once in DATA_DIR. */
export function loadOrCreateSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = pathIn(dataDir);
  const found = read(path);
  if (found !== null) {
    makePrivate(path);
    return found;
  }
  const made = randomBytes(32).toString('hex');
  writeWhole(path, made, 'if missing');
  // Two servers that start at once must agree on one secret.
  const agreed = read(path);
  if (agreed !== null) return agreed;
  // A full disk or a crash left an incomplete file, which no server can have used.
  writeWhole(path, made, 'replace');
  return read(path) ?? made;
}

/** Stores the secret that several servers share, so that this one has it also while their database is away. */
export function storeSecret(dataDir: string, secret: string): void {
  if (read(pathIn(dataDir)) !== secret) writeWhole(pathIn(dataDir), secret, 'replace');
}

function read(path: string): string | null {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    return secret.length < leastLength ? null : secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The file is complete at any time, also on a full disk and after a power cut. */
function writeWhole(path: string, secret: string, mode: 'if missing' | 'replace'): void {
  const partial = `${path}.${process.pid}.partial`;
  try {
    const file = openSync(partial, writeSynced, 0o600);
    try {
      writeSync(file, secret);
    } finally {
      closeSync(file);
    }
    if (mode === 'replace') renameSync(partial, path);
    else linkSync(partial, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(partial, { force: true });
  }
}
