import { accessSync, constants, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';

/** The file that the server and the command both read their settings from. The environment and credentials win over it. */

export interface SettingsFile {
  path: string;
  values: Record<string, string>;
  /** What is not right in it, each with its line. */
  problems: string[];
}

export const settingsFileName = 'awhina.env';
export const systemFile = `/etc/awhina/${settingsFileName}`;

/**
 * The file that AWHINA_ENV names, else the one in this folder, else the system's; null where there is none.
 * One that is there and cannot be read is a problem, and not none: the site would start with other settings.
 */
export function readSettingsFile(
  named: string | undefined,
  known: readonly string[],
  places: readonly string[] = [settingsFileName, systemFile],
): SettingsFile | null {
  for (const place of named ? [named] : places) {
    const path = resolve(place);
    try {
      return { path, ...parse(readFileSync(path, 'utf8'), known) };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // By Node's permissions it may not even be looked for: then the settings come from whoever set those.
      if (!named && ['ENOENT', 'ENOTDIR', 'ERR_ACCESS_DENIED'].includes(code ?? '')) continue;
      // Such as /root, where `sudo -u awhina` leaves one. A file there can be nobody's settings but root's.
      if (!named && code === 'EACCES' && !isSearchable(dirname(path))) continue;
      return { path, values: {}, problems: [explain(code, named !== undefined)] };
    }
  }
  return null;
}

function isSearchable(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** What a folder in the settings counts from, where it is not whole: a file that was named takes its own along. */
export const baseOf = (named: string | undefined): string =>
  named ? dirname(resolve(named)) : process.cwd();

function explain(code: string | undefined, named: boolean): string {
  if (code === 'ENOENT') return 'is not there. AWHINA_ENV names it';
  if (code === 'EACCES')
    return 'may not be read by this user. Run this as the user the server runs as, or let that user read it';
  if (code === 'EISDIR') return `is a folder${named ? '. AWHINA_ENV must name a file' : ''}`;
  return `could not be read (${code})`;
}

const line = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=/;

function parse(text: string, known: readonly string[]): Pick<SettingsFile, 'values' | 'problems'> {
  const values = Object.fromEntries(
    Object.entries(parseEnv(text.replace(/^\uFEFF/, ''))).map(([name, value]) => [name, value ?? '']),
  );
  return { values, problems: findProblems(text, known) };
}

/** Node's parser passes over what it does not understand; whoever wrote it would wonder for days. */
function findProblems(text: string, known: readonly string[]): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  let quote: string | null = null;
  for (const [index, written] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const say = (problem: string) => problems.push(`line ${index + 1}: ${problem}`);
    if (quote !== null) {
      if (written.includes(quote)) quote = null;
      continue;
    }
    if (/^\s*(#|$)/.test(written)) continue;
    const name = line.exec(written)?.[1];
    if (!name) {
      say('is not a setting. Write NAME=value, or # before a remark');
      continue;
    }
    if (!known.includes(name)) say(`${name} is not the name of a setting`);
    if (seen.has(name)) say(`${name} is set twice`);
    seen.add(name);
    const [, mark, rest = ''] = /=\s*(["'`])(.*)$/.exec(written) ?? [];
    if (mark && !rest.includes(mark)) quote = mark;
    else if (!mark && /^[^#]*[^\s#]#/.test(written.slice(written.indexOf('=') + 1)))
      say(`${name} has a # in it, which begins a remark. Put the value in quotes`);
  }
  if (quote !== null) problems.push(`a value begins with ${quote} and does not end with it`);
  return problems;
}
