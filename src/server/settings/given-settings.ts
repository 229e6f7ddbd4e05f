import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { credentialsFolder, readCredentials } from './credentials.ts';
import { type SettingsFile, systemFile } from './settings-file.ts';

export interface GivenSettings {
  /** As they are written, without those that are empty. */
  values: Record<string, string | undefined>;
  /** Which of them are files of their own. */
  credentials: string[];
  problems: string[];
}

/** Set by {@link takeOverCredentials}, for this process and those it starts. */
const takenOver = 'AWHINA_CREDENTIALS_TAKEN';

/**
 * Puts the credentials into the environment, before this process becomes a user who may not read them: their folder may be
 * root's alone.
 */
export function takeOverCredentials(
  env: NodeJS.ProcessEnv,
  file: SettingsFile | null,
  known: readonly string[],
): void {
  const { values, credentials, problems } = gatherSettings(env, file, known);
  // What is wrong with them is told by whoever reads the settings.
  if (credentials.length === 0 || problems.length > 0) return;
  for (const name of credentials) env[name] = values[name];
  env[takenOver] = 'yes';
}

/** What is set, and by whom: a variable of the environment wins over a credential, and that over the settings file. */
export function gatherSettings(
  env: NodeJS.ProcessEnv,
  file: SettingsFile | null,
  known: readonly string[],
): GivenSettings {
  const kept = join(dirname(file?.path ?? systemFile), credentialsFolder);
  const credentials = env[takenOver]
    ? { values: {}, problems: [] }
    : readCredentials({ loaded: env.CREDENTIALS_DIRECTORY || undefined, kept }, known);
  const inEnvironment = Object.fromEntries(known.map((name) => [name, unquote(env[name])]));
  return {
    values: {
      ...setOnly(file?.values ?? {}),
      ...setOnly(credentials.values),
      ...setOnly(inEnvironment),
    },
    credentials: Object.keys(credentials.values),
    problems: [
      ...(file?.problems ?? []).map((problem) => `${file?.path} ${problem}`),
      ...credentials.problems,
    ],
  };
}

/** An empty variable is an unset one: that is what `FOO= npm start` and most settings files mean. */
const setOnly = (values: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

/** podman and docker hand the quotes of an --env-file on; the same file read as awhina.env has lost them. */
function unquote(value: string | undefined): string | undefined {
  const [, quote = '', inner = ''] = /^(["'`])(.*)\1$/s.exec(value ?? '') ?? [];
  return quote && !inner.includes(quote) ? parseEnv(`VALUE=${value}`).VALUE : value;
}
