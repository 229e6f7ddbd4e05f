import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { databasePath } from '../sqlite/database-file.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';

const hour = 3_600_000;

/** In a file that is in service. Those of a backup are mended when it is restored. */
test('a row whose time or form is damaged hides no other from staff, and is itself named', async () => {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  onTestFinished(() => store.close());
  const clock = createClock();
  const receive = () => storeSubmission(store, { receivedAt: clock.now(), urgent: true });
  const [damaged, whole] = [await receive(), await receive()];
  using db = new DatabaseSync(databasePath(dataDir), { timeout: 5_000 });
  db.exec(`UPDATE submissions SET received_at = '2000-01-01T00:00:99.000Z' WHERE reference = '${damaged}';
    UPDATE definitions SET definition = '{'`);
  clock.advance(2 * hour);
  const now = clock.now();
  const isTime = ({ receivedAt }: { receivedAt: Date }) => !Number.isNaN(receivedAt.getTime());
  for (const found of [await store.listOpen(10), await store.outlineOpen(10, ['help'])]) {
    expect(found.map(({ reference }) => reference)).toEqual([damaged, whole]);
    expect(found.every(isTime)).toBe(true);
  }
  for (const [summary] of [await store.summariseOpen(), await store.summariseUnseen({ help: now }, now)])
    expect(summary?.oldestReceivedAt.getTime()).not.toBeNaN();
  expect(await store.listDefinitions({})).toEqual([[]]);
  expect(await store.recordStep(damaged, 'answered', 'AB', now)).toMatchObject({ changed: true });
});
