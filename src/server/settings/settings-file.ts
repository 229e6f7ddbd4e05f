import { constants, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { isAllowed } from '../files/access.ts';
import { removedSettings } from './settings-conflicts.ts';
import { settings } from './settings-list.ts';

/** awhina.env, from which the server and the command both read their settings. */

interface SettingsFile {
  path: string;
  values: Record<string, string>;
  /** Each with its line. */
  problems: string[];
}

const settingsFileName = 'awhina.env';
export const systemFile = `/etc/awhina/${settingsFileName}`;

/**
 * The file that AWHINA_ENV names, else the one in the current folder, else the system's; null where there is none. A file
 * that cannot be read is a problem, and is not passed over: the site would start with other settings.
 */
export function readSettingsFile(
  named: string | undefined,
  paths: readonly string[] = [settingsFileName, systemFile],
): SettingsFile | null {
  for (const path of (named ? [named] : paths).map((one) => resolve(one))) {
    try {
      return { path, ...parse(readFileSync(path, 'utf8')) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Under Node's permissions the server may not search for the file. The unit that set the permissions sets the settings too.
      if (!named && ['ENOENT', 'ENOTDIR', 'ERR_ACCESS_DENIED'].includes(code ?? '')) continue;
      // With `sudo -u awhina` the current folder is still /root. A file there can only be root's settings.
      if (!named && code === 'EACCES' && !isAllowed(dirname(path), constants.X_OK)) continue;
      return { path, values: {}, problems: [explain(code, named !== undefined)] };
    }
  }
  return null;
}

function explain(code: string | undefined, named: boolean): string {
  if (code === 'ENOENT') return 'is not there. AWHINA_ENV names it';
  if (code === 'EACCES')
    return 'may not be read by this user. Run this as the user the server runs as, or let that user read it';
  if (code === 'EISDIR') return `is a folder${named ? '. AWHINA_ENV must name a file' : ''}`;
  return `could not be read (${code})`;
}

const settingLine = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=/;

function parse(fileText: string): Pick<SettingsFile, 'values' | 'problems'> {
  const text = fileText.replace(/^\uFEFF/, '');
  const values = Object.fromEntries(
    Object.entries(parseEnv(text)).map(([name, value]) => [name, value ?? '']),
  );
  return { values, problems: findProblems(text) };
}

/** Node's parser ignores lines that it does not understand, without a word. */
function findProblems(text: string): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let quote: string | null = null;
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const report = (problem: string) => problems.push(`line ${index + 1}: ${problem}`);
    if (quote !== null) {
      if (written.includes(quote)) quote = null;
      continue;
    }
    if (/^\s*(#|$)/.test(written)) continue;
    const name = settingLine.exec(written)?.[1];
    if (!name) {
      report('is not a setting. Write NAME=value, or # before a remark');
      continue;
    }
    if (!Object.hasOwn(settings, name))
      report(`${name} ${removedSettings[name] ?? 'is not the name of a setting'}`);
    if (seen.has(name)) report(`${name} is set twice`);
    seen.add(name);
    const [, openingQuote, rest = ''] = /=\s*(["'`])(.*)$/.exec(written) ?? [];
    if (openingQuote && !rest.includes(openingQuote)) quote = openingQuote;
    else if (!openingQuote && /^[^#]*[^\s#]#/.test(written.slice(written.indexOf('=') + 1)))
      report(`${name} has a # in it, which begins a remark. Put the value in quotes`);
  }
  if (quote !== null) problems.push(`a value begins with ${quote} and does not end with it`);
  return problems;
}
