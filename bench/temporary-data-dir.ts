import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** An empty folder, deleted at the end of its scope (`await using`). */
export function temporaryDataDir() {
  const path = mkdtempSync(join(tmpdir(), 'awhina-bench-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}
