import { readFileSync } from 'node:fs';

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
  away: '/var/cache/awhina',
};

/** What systemd calls this kind of machine: its %a. */
const machine = process.arch === 'x64' ? 'x86-64' : process.arch;

/** The same words with these folders in the place of those. */
export const movedTo = (folders: typeof installed) => (words: string) =>
  words
    .replaceAll(installed.project, folders.project)
    // Where all the versions lie.
    .replaceAll('/opt/awhina', folders.project)
    .replaceAll(installed.settings, folders.settings)
    .replaceAll(installed.data, folders.data)
    .replaceAll(installed.away, folders.away)
    .replaceAll('%a', machine);
