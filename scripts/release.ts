import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGzip } from 'node:zlib';
import { packTar } from 'modern-tar/fs';
import { releaseLockfile, releasePackage } from './release-package.ts';
import { refuseVersion } from './release-version.ts';
import { makeSbom } from './sbom.ts';

/** `npm run release`: packs what a server needs into one file that needs no build. docs/installing.md describes its use. */

// A draft is a release between two versions, for trying out. Its version says so, and its folder has another name.
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { draft: { type: 'boolean' } },
});
const outDir = positionals[0] ?? 'release';
const parts = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'awhina',
  'bin',
  'content',
  'deploy',
  'docs',
];
const sources = ['src/cli', 'src/model', 'src/reader', 'src/report', 'src/server'];
const isForDevelopers = (path: string) =>
  path.endsWith('.test.ts') || path.endsWith('tsconfig.json') || path.startsWith('docs/screenshots/');

if (!existsSync('dist/client/.vite/manifest.json')) throw new Error('Run `npm run build` first.');

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
if (values.draft) manifest.version += '-draft';
const refusal = values.draft ? null : refuseVersion(manifest.version, readFileSync('CHANGELOG.md', 'utf8'));
if (refusal) {
  console.error(refusal);
  process.exit(1);
}
const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const name = `${manifest.name}-${manifest.version}`;
const staging = mkdtempSync(join(tmpdir(), 'awhina-release-'));
const staged = (path: string) => join(staging, name, path);
const json = (value: object) => `${JSON.stringify(value, undefined, 2)}\n`;

try {
  // Only tracked files: untracked ones in content/ may be private.
  const tracked = execFileSync('git', ['ls-files', '-z', '--', ...parts, ...sources], { encoding: 'utf8' });
  for (const path of tracked.split('\0').filter((path) => path && !isForDevelopers(path))) {
    mkdirSync(dirname(staged(path)), { recursive: true });
    // The target of a link may be missing here: the Node for another kind of machine.
    if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), staged(path));
    else cpSync(path, staged(path));
  }
  cpSync('dist', staged('dist'), { recursive: true });
  writeFileSync(staged('package.json'), json(releasePackage(manifest)));
  writeFileSync(staged('package-lock.json'), json(releaseLockfile(manifest, lockfile)));
  // No package of a release needs its install script, so none is run, even if `--ignore-scripts` is forgotten.
  writeFileSync(staged('.npmrc'), `${readFileSync('.npmrc', 'utf8')}ignore-scripts=true\n`);

  mkdirSync(outDir, { recursive: true });
  const file = join(outDir, `${name}.tgz`);
  // The same commit gives the same bytes on every machine and at any time.
  const time = new Date(execFileSync('git', ['log', '-1', '--format=%cI'], { encoding: 'utf8' }).trim());
  const portable = { mtime: time, uid: 0, gid: 0 };
  const archive = packTar(staging, {
    map: (header) => ({ ...header, ...portable, mode: (header.mode ?? 0) & 0o100 ? 0o755 : 0o644 }),
    // With more, the order of the entries would depend on timing.
    concurrency: 1,
  });
  await pipeline(archive, createGzip({ level: 9 }), createWriteStream(file));
  writeFileSync(join(outDir, `${name}.cdx.json`), makeSbom(manifest, lockfile, time));
  const bytes = readFileSync(file);
  const hash = createHash('sha256').update(bytes).digest('hex');
  writeFileSync(`${file}.sha256`, `${hash}  ${name}.tgz\n`);
  console.log(`${file}  ${(bytes.length / 1e6).toFixed(1)} MB\nsha256 ${hash}`);
} finally {
  rmSync(staging, { recursive: true });
}
