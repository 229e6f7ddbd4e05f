import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { releaseLockfile, releasePackage } from './release-package.ts';
import { npmCommand } from './run-npm-script.ts';

/** The list of all packages in a release, as CycloneDX: what somebody searches when a hole becomes known in one of them. */

/** Packages for developers that the build puts into dist/, and so into a release. A test holds it to what src/ imports. */
export const builtIn: readonly string[] = ['@observablehq/plot', 'linkedom', 'react', 'react-dom'];

interface Manifest {
  name: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** The same text for the same commit: `time` is the commit's. */
export function makeSbom(
  manifest: Manifest,
  lockfile: { packages: Record<string, object> },
  time: Date,
): string {
  const { devDependencies, dependencies } = manifest;
  const inBuild = builtIn.map((name) => [name, devDependencies[name]]);
  const shipped = { ...manifest, dependencies: { ...dependencies, ...Object.fromEntries(inBuild) } };
  // npm works out anew what belongs to the dependencies, where no package is said to be for developers only.
  const undecided = Object.entries(lockfile.packages).map(([path, entry]) => [
    path,
    { ...entry, dev: false },
  ]);
  const locked = releaseLockfile(shipped, { ...lockfile, packages: Object.fromEntries(undecided) });

  const stage = mkdtempSync(join(tmpdir(), 'awhina-sbom-'));
  // npm takes the name of the whole from its folder.
  const folder = join(stage, manifest.name);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(releasePackage(shipped)));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(locked));
    const words = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only', '--omit=dev'];
    const [command, args] = npmCommand(['sbom', ...words]);
    const made = JSON.parse(execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }));
    return settle(made, time);
  } finally {
    rmSync(stage, { recursive: true });
  }
}

/** npm gives each list a random number and the moment it was made, and names its own version. */
function settle({ serialNumber, ...sbom }: Record<string, unknown>, time: Date): string {
  const { tools, ...metadata } = sbom.metadata as Record<string, unknown>;
  const settled = {
    ...sbom,
    metadata: { ...metadata, timestamp: time.toISOString(), tools: [{ vendor: 'npm', name: 'cli' }] },
  };
  const hash = createHash('sha256').update(JSON.stringify(settled)).digest('hex');
  // Version 8 of a UUID is one that is made of something else.
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return `${JSON.stringify({ ...settled, serialNumber: `urn:uuid:${uuid}` }, undefined, 2)}\n`;
}
