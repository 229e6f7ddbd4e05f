import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findStableFolder } from './command-path.ts';

test('paths in a trust’s files go through the link to the version in use, not through the folder of one version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'awhina-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const version of ['awhina-1.0.0', 'awhina-1.1.0']) mkdirSync(join(folder, version));
  symlinkSync('awhina-1.1.0', join(folder, 'current'));
  expect(findStableFolder(join(folder, 'awhina-1.1.0'))).toBe(join(folder, 'current'));
  expect(findStableFolder(join(folder, 'awhina-1.0.0'))).toBe(join(folder, 'awhina-1.0.0'));
});
