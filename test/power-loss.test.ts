import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { filesAfterPowerLoss, type Operation, recordOperations } from './support/file-operations.ts';
import { temporaryFolder } from './support/temporary.ts';

/**
 * kill -9 does not test durability, because the page cache outlives the process. Here the file operations of a real
 * run are recorded and the files are rebuilt as a power cut would leave them.
 */

const writer = 'test/support/power-loss-writer.ts';
const unsynced = './test/support/unsynced-sqlite.ts';

/** References that were acknowledged before the cut and are not in the rebuilt database. */
function lostAfter(operations: readonly Operation[], folder: string, survives: () => boolean): string[] {
  mkdirSync(folder);
  for (const [file, bytes] of filesAfterPowerLoss(operations, 'data', survives))
    writeFileSync(join(folder, file), bytes);
  const acknowledged = operations.flatMap((operation) =>
    operation.kind === 'said' ? [operation.line.replace('acknowledged ', '')] : [],
  );
  using db = new DatabaseSync(join(folder, 'awhina.sqlite'));
  let kept: unknown[] = [];
  try {
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const sql =
      "SELECT s.reference FROM submissions s LEFT JOIN jobs j ON j.key = 'mail:' || s.reference WHERE j.id IS NOT NULL OR s.accepted_at IS NOT NULL";
    kept = db
      .prepare(sql)
      .all()
      .map(({ reference }) => reference);
  } catch {
    // Not even readable: everything is lost.
  }
  return acknowledged.filter((reference) => !kept.includes(reference));
}

/** Right after an acknowledgement is when there is most to lose. */
function cutsIn(operations: readonly Operation[]): number[] {
  const acknowledgements = operations.flatMap(({ kind }, index) => (kind === 'said' ? [index + 1] : []));
  expect(acknowledgements.length).toBeGreaterThan(300);
  return acknowledgements.filter((_, index) => index % 20 === 0);
}

/** Half of the writes, the same ones at every run, and other ones for another seed (the generator of Park and Miller). */
function chooseHalf(seed: number): () => boolean {
  let last = seed;
  return () => {
    last = (last * 48_271) % 2_147_483_647;
    return last % 2 === 0;
  };
}

describe.runIf(process.platform === 'linux')('when the power fails', () => {
  test('every acknowledged request is there, whichever unsynced writes the disk had reached', () => {
    const folder = temporaryFolder();
    const operations = recordOperations(join(folder, 'data'), writer);
    const checkpoints = operations.filter(
      ({ kind, ...rest }) => kind === 'sync' && 'file' in rest && rest.file === 'awhina.sqlite',
    );
    expect(checkpoints.length).toBeGreaterThan(1);
    for (const [number, cut] of cutsIn(operations).entries()) {
      const done = operations.slice(0, cut);
      expect(lostAfter(done, join(folder, `none-${number}`), () => false)).toEqual([]);
      expect(lostAfter(done, join(folder, `some-${number}`), chooseHalf(number + 1))).toEqual([]);
    }
  });

  test('with synchronous=OFF requests are lost, so the test above can fail', () => {
    const folder = temporaryFolder();
    const operations = recordOperations(join(folder, 'data'), writer, ['--import', unsynced]);
    const lost = cutsIn(operations).map(
      (cut, number) => lostAfter(operations.slice(0, cut), join(folder, `cut-${number}`), () => false).length,
    );
    expect(Math.max(...lost)).toBeGreaterThan(0);
  });
});
