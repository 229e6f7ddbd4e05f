import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { readCredentials } from './credentials.ts';
import { removedSettings } from './settings-conflicts.ts';
import { readSettingsFile, systemFile } from './settings-file.ts';
import { settingNames } from './settings-list.ts';

/** The settings as they were written, before they are checked. */
interface GivenSettings {
  /** By name, without empty ones. */
  values: Record<string, string | undefined>;
  /** The names of the settings that are credentials. */
  credentials: string[];
  problems: string[];
  /** The settings file, where there is one. */
  file: string | undefined;
  /** Relative paths in the settings start here: in the folder of the file that AWHINA_ENV names, otherwise in the current one. */
  base: string;
}

/** Set by {@link copyCredentialsToEnvironment}, for this process and its children. */
const copiedMarker = 'AWHINA_CREDENTIALS_TAKEN';

/**
 * For a process of root that becomes another user: the folder of the credentials may be readable by root alone.
 */
export function copyCredentialsToEnvironment(env: NodeJS.ProcessEnv): void {
  const { values, credentials, problems } = gatherSettings(env);
  // readSettings reports the problems.
  if (credentials.length === 0 || problems.length > 0) return;
  for (const name of credentials) env[name] = values[name];
  env[copiedMarker] = 'yes';
}

/** A variable of the environment wins over a credential, and a credential over the settings file. */
export function gatherSettings(env: NodeJS.ProcessEnv): GivenSettings {
  const named = env.AWHINA_ENV || undefined;
  const file = readSettingsFile(named);
  const beside = join(dirname(file?.path ?? systemFile), 'credentials');
  const credentials = env[copiedMarker]
    ? { values: {}, problems: [] }
    : readCredentials({ loaded: env.CREDENTIALS_DIRECTORY || undefined, beside });
  const inEnvironment = Object.fromEntries(settingNames.map((name) => [name, unquote(env[name])]));
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
      ...Object.entries(removedSettings).flatMap(([name, problem]) =>
        env[name] ? [`${name} ${problem}`] : [],
      ),
    ],
    file: file?.path,
    base: named ? dirname(resolve(named)) : process.cwd(),
  };
}

/** An empty variable counts as unset: `FOO= npm start` and most settings files mean that. */
const setOnly = (values: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));

/** podman and docker pass the quotes of an --env-file on. Read as awhina.env, the same file loses them. */
function unquote(value: string | undefined): string | undefined {
  const [, quote = '', inner = ''] = /^(["'`])(.*)\1$/s.exec(value ?? '') ?? [];
  return quote && !inner.includes(quote) ? parseEnv(`VALUE=${value}`).VALUE : value;
}
