import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { shippedContent } from '../../test/support/forms.ts';

/** The newest releases of these major versions. */
const packages = ['@apollo/server@5', 'graphql-yoga@5', 'graphql@16'];
const nameOf = (wanted: string) => wanted.slice(0, wanted.lastIndexOf('@'));

/** Installs the peers into the folder, with the questions and the schema of the site. */
export function installPeers(folder: string): void {
  cpSync('bench/peers/site', folder, { recursive: true });
  cpSync('src/server/graphql/schema.graphql', join(folder, 'schema.graphql'));
  const { help, contact } = shippedContent.forms;
  const forms = { help: help.definition, contact: contact.definition };
  writeFileSync(join(folder, 'forms.json'), JSON.stringify(forms));
  if (existsSync(join(folder, 'node_modules'))) return;
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  // With the whole environment: a machine may reach the registry only through a proxy that is set in it.
  execFileSync('npm', ['install', '--save-exact', '--ignore-scripts', ...packages], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Such as `next 16.4.6`. */
export function versionOf(folder: string, name: string): string {
  const { version } = JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8'));
  return `${name} ${version}`;
}

export const peerVersions = (folder: string): string[] =>
  packages.map((wanted) => versionOf(folder, nameOf(wanted)));

export const peerEnvironment = (dataDir: string): Record<string, string> => ({
  PEER_STORE: resolve('bench/peers/store.ts'),
  DATA_DIR: dataDir,
});
