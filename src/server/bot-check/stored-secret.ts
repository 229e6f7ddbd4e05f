import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../files/private-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** A shorter secret was not written completely. */
const minLength = 32;

export const secretPath = (dataDir: string) => join(dataDir, 'bot-check-secret');

/** The secret that signs bot-check challenges, created once in DATA_DIR. */
export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = secretPath(dataDir);
  const found = read(path);
  if (found !== null) {
    makePrivate(path);
    return found;
  }
  const created = randomBytes(32).toString('hex');
  await writeAtomically(path, created, { ifMissing: true, ownerOnly: true });
  // Two servers that start at once must agree on one secret.
  const agreed = read(path);
  if (agreed !== null) return agreed;
  // A full disk or a crash left an incomplete file, which no server can have used.
  await writeAtomically(path, created, { ownerOnly: true });
  return read(path) ?? created;
}

/** Stores the secret that several servers share, so that this one has it also while their database is away. */
export async function storeSecret(dataDir: string, secret: string): Promise<void> {
  if (read(secretPath(dataDir)) !== secret)
    await writeAtomically(secretPath(dataDir), secret, { ownerOnly: true });
}

/** For the command. Null if no server has made one. */
export const readStoredSecret = (dataDir: string): string | null => read(secretPath(dataDir));

function read(path: string): string | null {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    return secret.length < minLength ? null : secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
