import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { releaseLockfile, releasePackage } from './release-package.ts';
import { npmCommand } from './run-npm-script.ts';

/** The list of all packages in a release (CycloneDX), for finding out whether a release has a vulnerable package. */

/** The devDependencies that the build bundles into dist/, and so into a release. A test compares the list with src/. */
export const bundled: readonly string[] = ['react', 'react-dom'];

interface Manifest {
  name: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** The same commit gives the same text: `time` is the time of the commit. */
export function makeSbom(
  manifest: Manifest,
  lockfile: { packages: Record<string, object> },
  time: Date,
): string {
  const { devDependencies, dependencies } = manifest;
  const versions = bundled.map((name) => [name, devDependencies[name]]);
  const shipped = { ...manifest, dependencies: { ...dependencies, ...Object.fromEntries(versions) } };
  // With no package marked as `dev`, npm works out from the dependencies which packages belong to the release.
  const unmarked = Object.entries(lockfile.packages).map(([path, entry]) => [path, { ...entry, dev: false }]);
  const locked = releaseLockfile(shipped, { ...lockfile, packages: Object.fromEntries(unmarked) });

  const staging = mkdtempSync(join(tmpdir(), 'awhina-sbom-'));
  // npm names the whole list after the folder.
  const folder = join(staging, manifest.name);
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), JSON.stringify(releasePackage(shipped)));
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(locked));
    const options = [
      '--sbom-format=cyclonedx',
      '--sbom-type=application',
      '--package-lock-only',
      '--omit=dev',
    ];
    const [command, args] = npmCommand(['sbom', ...options]);
    const sbom = JSON.parse(execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }));
    return makeReproducible(sbom, time);
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** Replaces the random serial number, the current time and npm's version, which npm writes into each list. */
function makeReproducible({ serialNumber, ...sbom }: Record<string, unknown>, time: Date): string {
  const { tools, ...metadata } = sbom.metadata as Record<string, unknown>;
  const reproducible = {
    ...sbom,
    metadata: { ...metadata, timestamp: time.toISOString(), tools: [{ vendor: 'npm', name: 'cli' }] },
  };
  const hash = createHash('sha256').update(JSON.stringify(reproducible)).digest('hex');
  // Version 8 of a UUID has custom content (RFC 9562, section 5.8).
  const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');
  return `${JSON.stringify({ ...reproducible, serialNumber: `urn:uuid:${uuid}` }, undefined, 2)}\n`;
}
