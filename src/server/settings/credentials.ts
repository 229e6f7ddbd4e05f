import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFolder } from '../files/access.ts';
import { settings } from './settings-list.ts';

/**
 * A credential is a setting in a file of its own, named like the setting: a password that no program shows, and that a backup
 * of the settings does not hold. A service gets its credentials from systemd (LoadCredential=), in a folder that is gone with
 * the service. A command that a person runs reads the folder that systemd loads them from.
 */
interface Credentials {
  values: Record<string, string>;
  problems: string[];
}

/** Made by `systemd-creds encrypt`: only systemd can open it, for a service. */
const encrypted = /^([A-Z0-9_]+)\.cred$/;
/** Other programs have credentials there too, such as `login.password`. A file that is named like a setting, in capitals with an underscore, was meant as one. */
const likeSetting = /^[A-Z0-9]+(_[A-Z0-9]+)+$/;

interface CredentialFolders {
  /** The folder that systemd made for this service. */
  loaded: string | undefined;
  /** The folder beside the settings file, from which systemd loads them. */
  beside: string;
}

export function readCredentials({ loaded, beside }: CredentialFolders): Credentials {
  const problems: string[] = [];
  const namesBeside = list(beside, (code) => {
    // Under Node's permissions a service may not open this folder. It has the credentials that systemd loaded.
    if (code === 'ERR_ACCESS_DENIED') return;
    // The folder may be readable by root alone. A service has what systemd loaded, and needs no more; a person has nothing.
    if (loaded === undefined || code !== 'EACCES') problems.push(`${beside} ${explain(code)}`);
  });
  const namesLoaded =
    loaded === undefined ? [] : list(loaded, (code) => problems.push(`${loaded} ${explain(code)}`));
  for (const name of namesBeside) {
    const [, setting] = encrypted.exec(name) ?? [];
    if (setting && !namesLoaded.includes(setting))
      problems.push(
        `${join(beside, name)} is encrypted, and systemd has not opened it for this process: docs/operating.md says how to run a command with it`,
      );
  }
  const values: Record<string, string> = {};
  for (const [folder, names] of [
    [beside, namesBeside],
    [loaded ?? '', namesLoaded],
  ] as const) {
    for (const name of names) {
      const path = join(folder, name);
      if (Object.hasOwn(settings, name)) {
        try {
          values[name] = readFileSync(path, 'utf8').replace(/^\uFEFF|(\r?\n)+$/g, '');
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (folder !== beside || !namesLoaded.includes(name)) problems.push(`${path} ${explain(code)}`);
        }
      } else if (likeSetting.test(name)) problems.push(`${path} is not the name of a setting`);
    }
  }
  return { values, problems };
}

/** A folder that does not exist is no failure. */
const list = (folder: string, onFailed: (code: string) => void): string[] =>
  listFolder(folder, ({ code = '' }) => {
    if (!['ENOENT', 'ENOTDIR'].includes(code)) onFailed(code);
  });

function explain(code: string | undefined): string {
  if (code === 'EACCES')
    return 'may not be read by this user: run this as root, or let the user that the server runs as read it';
  // From Node's permissions.
  if (code === 'ERR_ACCESS_DENIED')
    return 'may not be read by the service: its unit is older than this version. Copy deploy/awhina.service anew';
  return `could not be read (${code})`;
}
