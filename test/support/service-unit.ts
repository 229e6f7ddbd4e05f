import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The unit as systemd reads it: lines that go on joined, comments gone, each setting with all its values. */
export function readUnit(path: string): Map<string, string[]> {
  const settings = new Map<string, string[]>();
  const text = readFileSync(path, 'utf8').replace(/\\\n\s*/g, '');
  for (const line of text.split('\n')) {
    const [, name, value] = /^([A-Za-z]+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) settings.set(name, [...(settings.get(name) ?? []), value ?? '']);
  }
  return settings;
}

/** Where the unit expects the version in use, its settings, its data, and the page for the time it is away. */
export const installed = {
  project: '/opt/awhina/current',
  settings: '/etc/awhina',
  data: '/var/lib/awhina',
  /** What systemd makes for LoadCredential=. */
  credentials: '/run/credentials/awhina.service',
  away: '/var/cache/awhina',
};

/** What systemd calls this kind of machine: its %a. */
const machine = process.arch === 'x64' ? 'x86-64' : process.arch;

/** Most tests load no credentials and look at no page for the time the site is away. */
export type Folders = Pick<typeof installed, 'project' | 'settings' | 'data'> &
  Partial<Pick<typeof installed, 'credentials' | 'away'>>;

/** The same words with these folders in the place of those. */
export const movedTo = (folders: Folders) => (words: string) =>
  words
    .replaceAll(installed.project, folders.project)
    // The folder of all versions.
    .replaceAll('/opt/awhina', folders.project)
    .replaceAll(installed.settings, folders.settings)
    .replaceAll(installed.data, folders.data)
    .replaceAll(installed.credentials, folders.credentials ?? folders.settings)
    .replaceAll(installed.away, folders.away ?? folders.data)
    .replaceAll('%a', machine);

const unitPath = 'deploy/awhina.service';

/** The command of the unit that comes with the project in these folders: the program, its flags, and the script. */
export function serviceCommand(folders: Folders): { node: string; flags: string[]; script: string } {
  const words =
    readUnit(join(folders.project, unitPath)).get('ExecStart')?.[0]?.split(' ').map(movedTo(folders)) ?? [];
  return { node: words[0] ?? '', flags: words.slice(1, -1), script: words.at(-1) ?? '' };
}
