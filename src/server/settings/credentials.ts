import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Settings that are files of their own, one a file and named by it: a password in a place where no program shows it and a backup of
 * the settings does not have it. A service gets them from systemd (LoadCredential=), whose folder is gone with the service; a
 * command that somebody runs by hand reads the folder that systemd loads them from.
 */
export interface Credentials {
  values: Record<string, string>;
  problems: string[];
}

export const credentialsFolder = 'credentials';
/** What `systemd-creds encrypt` makes: only systemd can open it, for a service. */
const encrypted = /^([A-Z0-9_]+)\.cred$/;
/** Others keep credentials there too, `login.password` say; what is written like a setting of ours was meant as one. */
const likeSetting = /^[A-Z0-9]+(_[A-Z0-9]+)+$/;

export interface CredentialFolders {
  /** What systemd made for this service. */
  loaded: string | undefined;
  /** Where systemd, or a person, has them from. */
  kept: string;
}

export function readCredentials({ loaded, kept }: CredentialFolders, known: readonly string[]): Credentials {
  const problems: string[] = [];
  const ours = list(kept, (code) => {
    // By Node's permissions a service may not even look for a folder that is none of its own.
    if (code === 'ERR_ACCESS_DENIED') return;
    // Its owner may be root alone: then a service has what systemd loaded for it, and a person has nothing.
    if (loaded === undefined || code !== 'EACCES') problems.push(`${kept} ${explain(code)}`);
  });
  const theirs =
    loaded === undefined ? [] : list(loaded, (code) => problems.push(`${loaded} ${explain(code)}`));
  for (const name of ours) {
    const [, setting] = encrypted.exec(name) ?? [];
    if (setting && !theirs.includes(setting))
      problems.push(
        `${join(kept, name)} is encrypted, and systemd has not opened it for this process: docs/operating.md says how to run a command with it`,
      );
  }
  const values: Record<string, string> = {};
  for (const [folder, names] of [
    [kept, ours],
    [loaded ?? '', theirs],
  ] as const) {
    for (const name of names) {
      const path = join(folder, name);
      if (known.includes(name)) {
        try {
          values[name] = readFileSync(path, 'utf8').replace(/^\uFEFF|(\r?\n)+$/g, '');
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (folder !== kept || !theirs.includes(name)) problems.push(`${path} ${explain(code)}`);
        }
      } else if (likeSetting.test(name)) problems.push(`${path} is not the name of a setting`);
    }
  }
  return { values, problems };
}

function list(folder: string, onFailed: (code: string | undefined) => void): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!['ENOENT', 'ENOTDIR'].includes(code ?? '')) onFailed(code);
    return [];
  }
}

function explain(code: string | undefined): string {
  if (code === 'EACCES')
    return 'may not be read by this user: run this as root, or let the user that the server runs as read it';
  // Node's own permissions.
  if (code === 'ERR_ACCESS_DENIED')
    return 'may not be read by the service: its unit is older than this version. Copy deploy/awhina.service anew';
  return `could not be read (${code})`;
}
