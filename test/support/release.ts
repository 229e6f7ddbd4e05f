import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, lstatSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './command.ts';
import { startProgram, type TestServer } from './server.ts';
import { temporaryFolder } from './temporary.ts';
import { testSecret } from './tokens.ts';

/** The release as a volunteer gets it: packed, unpacked elsewhere, and installed by npm. */

/** Packs what is built, whatever its version is called so far, and gives back the tarball's path. */
export function packRelease(): string {
  const folder = temporaryFolder();
  execFileSync(process.execPath, ['scripts/release.ts', '--draft', folder], { stdio: 'pipe' });
  return globSync(join(folder, '*.tgz'))[0] ?? '';
}

/** npm has the packages still from `npm ci`, so that nothing is fetched; where it has not, it fetches them again. */
export function installRelease(tarball: string): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  execFileSync('tar', ['xzf', tarball, '-C', folder]);
  const installed = join(folder, readdirSync(folder)[0] ?? '');
  // Nothing of what the npm that runs the tests tells its scripts.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefer-offline'], { cwd: installed, env, stdio: 'pipe' });
  return installed;
}

export interface ReleaseSite {
  start(): Promise<TestServer>;
  command(...args: string[]): ReturnType<typeof run>;
}

/** As on a server, where this is run by root: the version's folder is root's, the site runs as somebody without rights. */
export const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** A site that runs from the one folder, and keeps its requests in the other. */
export function releaseSite(installed: string, dataDir: string): ReleaseSite {
  mkdirSync(dataDir, { recursive: true });
  if (nobody.uid !== undefined) chownSync(dataDir, nobody.uid, nobody.gid);
  const awhina = join(installed, 'awhina');
  const env = { DATA_DIR: dataDir, BOT_CHECK_SECRET: testSecret, LOG_LEVEL: 'info' };
  return {
    start: () => startProgram(awhina, ['start'], env, installed, nobody),
    command: (...args) => run(awhina, args, env, { cwd: installed, ...nobody }),
  };
}

/** Every file, with its size and the moment it was last changed. */
export const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true }).map((name) => {
    const { size, mtimeMs } = lstatSync(join(folder, `${name}`));
    return `${name} ${size} ${mtimeMs}`;
  });
