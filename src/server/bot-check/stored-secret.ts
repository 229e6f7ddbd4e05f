import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivate } from '../files/private-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** A shorter secret was not written completely. */
const leastLength = 32;

const pathIn = (dataDir: string) => join(dataDir, 'bot-check-secret');

/** The secret that signs bot-check challenges, created once in DATA_DIR. */
export async function loadOrCreateSecret(dataDir: string): Promise<string> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = pathIn(dataDir);
  const found = read(path);
  if (found !== null) {
    makePrivate(path);
    return found;
  }
  const made = randomBytes(32).toString('hex');
  await writeAtomically(path, made, { ifMissing: true, ownerOnly: true });
  // Two servers that start at once must agree on one secret.
  const agreed = read(path);
  if (agreed !== null) return agreed;
  // A full disk or a crash left an incomplete file, which no server can have used.
  await writeAtomically(path, made, { ownerOnly: true });
  return read(path) ?? made;
}

/** Stores the secret that several servers share, so that this one has it also while their database is away. */
export async function storeSecret(dataDir: string, secret: string): Promise<void> {
  if (read(pathIn(dataDir)) !== secret) await writeAtomically(pathIn(dataDir), secret, { ownerOnly: true });
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
