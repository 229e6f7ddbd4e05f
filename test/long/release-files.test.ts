import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { refuseVersion } from '../../scripts/release-version.ts';
import { bundled, makeSbom } from '../../scripts/sbom.ts';

/** What comes with a release, as far as it needs no build: test/long/release.test.ts has the rest. */

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const lockfile = JSON.parse(readFileSync('package-lock.json', 'utf8'));

test('a version is released only with a heading in the changelog, and with nothing left under Next', () => {
  const changelog = (...sections: string[]) => `# Changes\n\nNumbers.\n\n${sections.join('\n')}`;
  const next = '## Next\n\n- A new thing.\n';
  const old = '## 1.0.0\n\nThe first release.\n';
  const newer = '## 1.1.0 (March 2027)\n\n- A new thing.\n';
  expect(refuseVersion('1.0.0', changelog(next, old))).toContain('"Next"');
  expect(refuseVersion('1.1.0', changelog(next, newer, old))).toContain('"Next"');
  expect(refuseVersion('1.1.0', changelog(old))).toContain('## 1.1.0');
  expect(refuseVersion('1.1', changelog(newer, old))).toContain('## 1.1');
  for (const good of [
    [newer, old],
    ['## Next\n\n', newer, old],
  ]) {
    expect(refuseVersion('1.1.0', changelog(...good))).toBe(null);
  }
});

test('the list of packages has every one that is installed or built in, and none that only developers have', () => {
  const time = new Date('2026-11-17T12:00:00+13:00');
  const made = makeSbom(manifest, lockfile, time);
  const { components, metadata, serialNumber, ...rest } = JSON.parse(made);
  expect(rest).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) });
  expect(serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(metadata).toMatchObject({
    timestamp: '2026-11-16T23:00:00.000Z',
    component: { type: 'application', name: 'awhina', version: manifest.version },
  });
  const names: string[] = components.map(({ name }: { name: string }) => name);
  const wanted = { ...manifest.dependencies, ...manifest.optionalDependencies };
  expect([...Object.keys(wanted), ...bundled, 'scheduler'].filter((name) => !names.includes(name))).toEqual(
    [],
  );
  expect(names.filter((name) => name in manifest.devDependencies).toSorted()).toEqual(bundled);
  // The second is made in another folder and at another moment.
  expect(makeSbom(manifest, lockfile, time)).toBe(made);
});

test('what the build puts into the pages is known', () => {
  const files = globSync('src/**/*.{ts,tsx}').filter((file) => !/\.test\.tsx?$/.test(file));
  const imported = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import\()\s*'((?:@[^/']+\/)?[^./'][^/']*)/g)].map(
      ([, name]) => name ?? '',
    ),
  );
  const forDevelopers = imported.filter((name) => name in manifest.devDependencies && name !== 'vite');
  expect([...new Set(forDevelopers)].toSorted()).toEqual(bundled);
});
