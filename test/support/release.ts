import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { run } from './command.ts';
import { startProgram, type TestServer } from './server.ts';
import { temporaryFolder } from './temporary.ts';
import { testSecret } from './tokens.ts';

/** The release as a volunteer gets it: packed, unpacked elsewhere, and installed by npm. */

/** Packs what is built in the folder with this version's script, and returns the path of the tarball. */
export function packRelease(project = '.'): string {
  const folder = temporaryFolder();
  const args = [resolve('scripts/release.ts'), '--draft', folder];
  execFileSync(process.execPath, args, { cwd: project, stdio: 'pipe' });
  return globSync(join(folder, '*.tgz'))[0] ?? '';
}

/** The last commit of 1.2.0. */
export const commitBefore = 'efbde879d9d96f8c2bbd18cc4b22627bf17502b0';

/** A commit of the project's history, built in a folder of its own with its own packages. */
export function buildCommit(commit: string): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'awhina-before-'));
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 1e9 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  install(folder);
  // Without NODE_ENV=test, for which another build of React would be used.
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, env, stdio: 'inherit' });
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** The release under its final name, with its checksum, in the reader's download folder. */
export function download(tarball: string, folder: string, version: string): void {
  execFileSync('tar', ['xzf', tarball, '-C', folder]);
  const unpacked = readdirSync(folder).find((name) => /^awhina-(?!.*\.tgz)/.test(name)) ?? '';
  for (const file of ['package.json', 'package-lock.json']) {
    const path = join(folder, unpacked, file);
    const content = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...content, version }));
  }
  const name = `awhina-${version}`;
  if (unpacked !== name) renameSync(join(folder, unpacked), join(folder, name));
  const pack = `tar czf ${name}.tgz ${name} && rm -r ${name} && sha256sum ${name}.tgz > ${name}.tgz.sha256`;
  execFileSync('sh', ['-euc', pack], { cwd: folder });
}

/** npm has the packages still from `npm ci`, so that nothing is fetched; where it has not, it fetches them again. */
export function installRelease(tarball: string): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  execFileSync('tar', ['xzf', tarball, '-C', folder]);
  const installed = join(folder, readdirSync(folder)[0] ?? '');
  install(installed);
  return installed;
}

function install(folder: string): void {
  // Without the variables that npm sets for the scripts of this project.
  const env = { PATH: process.env.PATH, HOME: process.env.HOME };
  execFileSync('npm', ['ci', '--ignore-scripts', '--prefer-offline'], { cwd: folder, env, stdio: 'pipe' });
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
