import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { shippedContent } from '../../test/support/forms.ts';

/** The newest of the major versions that the claim is about. */
const packages = ['@apollo/server@5', 'graphql-yoga@5', 'graphql@16', 'next@16', 'react@19', 'react-dom@19'];
const nameOf = (wanted: string) => wanted.slice(0, wanted.lastIndexOf('@'));

/** Puts the peers into the folder, with the same questions and the same schema as ours, and builds what must be built. */
export function installPeers(folder: string): void {
  cpSync('bench/peers/site', folder, { recursive: true });
  cpSync('src/server/graphql/schema.graphql', join(folder, 'schema.graphql'));
  const { help, contact } = shippedContent.forms;
  const forms = { help: help.definition, contact: contact.definition };
  writeFileSync(join(folder, 'forms.json'), JSON.stringify(forms));
  if (!existsSync(join(folder, 'node_modules'))) {
    writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
    run(folder, 'npm', ['install', '--save-exact', '--ignore-scripts', ...packages]);
  }
  run(folder, process.execPath, ['node_modules/next/dist/bin/next', 'build']);
}

/** With all of the environment: a machine may reach the registry only by what stands in it. */
function run(cwd: string, command: string, args: string[]): void {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  execFileSync(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Such as `next 16.4.6`. */
export function versionOf(folder: string, name: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  return `${name} ${version}`;
}

export const peerVersions = (folder: string): string[] =>
  packages.map((wanted) => versionOf(folder, nameOf(wanted)));

/** What each of the peers runs with. */
export const peerEnvironment = (dataDir: string): Record<string, string> => ({
  PEER_STORE: resolve('bench/peers/store.ts'),
  DATA_DIR: dataDir,
  NEXT_TELEMETRY_DISABLED: '1',
});
