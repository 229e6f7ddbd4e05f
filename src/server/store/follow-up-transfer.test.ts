import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase, empty } from '../../../test/support/databases.ts';
import { referenceOf } from '../../../test/support/fallback.ts';
import { claimAlerts, claimReminders } from '../../../test/support/jobs.ts';
import { anySubmission } from '../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { formNames } from '../../model/form-field.ts';
import { claimMail } from './contract/mail-jobs.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { readMigrations } from './rows/migrations.ts';
import { parseTransferRow } from './rows/transfer-row.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';
import { salvageRows } from './transfer/damaged-database.ts';
import { readSnapshot } from './transfer/postgres-snapshot.ts';

const minutes = 60_000;
const openOf = async (store: Pick<Awaited<ReturnType<typeof openSqliteStore>>, 'listOpen'>) =>
  (await store.listOpen(99)).map(({ reference }) => reference).toSorted();

describe('of the version before', () => {
  /** DDDD-3333 was delivered long ago, HHHH-3333 in the last fourteen days. */
  const openOnes = ['HHHH-3333', 'KKKK-3333', 'PPPP-3333', 'QQQQ-3333', 'WWWW-3333', 'WWWW-4444'];

  function makeBefore() {
    const dataDir = temporaryFolder();
    const path = join(dataDir, 'awhina.sqlite');
    using db = new DatabaseSync(path);
    db.exec(readFileSync('test/older-databases/schema-11.sql', 'utf8'));
    return { dataDir, path };
  }

  test('what was delivered is open only if it is recent, after the migration of SQLite, a salvage, or as a line of a backup', async () => {
    const { dataDir, path } = makeBefore();
    {
      using db = new DatabaseSync(path);
      const receivedAt = new Date(Date.now() - 13 * 24 * 60 * minutes).toISOString();
      db.exec(`UPDATE submissions SET received_at = '${receivedAt}' WHERE reference = 'HHHH-3333'`);
      db.exec(`UPDATE deliveries SET delivered_at = '${receivedAt}', held = 0
        WHERE submission = (SELECT id FROM submissions WHERE reference = 'HHHH-3333')`);
    }
    const salvaged = [...salvageRows(path)];
    const before = await openSqliteStore(dataDir);
    onTestFinished(() => before.close());
    expect(await openOf(before)).toEqual(openOnes);
    const { followUp, delivery } = (await before.findSubmission('DDDD-3333')) ?? {};
    expect(followUp?.answeredAt).toEqual(delivery?.deliveredAt);
    expect(followUp?.answeredBy).toBeNull();
    expect((await before.readFigures('2000-01-01', '2099-12-31')).answered).toEqual([]);

    const lines = salvaged.map(
      ({ reference, form, definition, definitionText, answers, sealedAnswers, verdict, ...row }) => {
        const { tokenHash, answersHash, receivedAt, urgent, deliveredAt } = row;
        const content = { reference, form, definition, definitionText, answers, sealedAnswers, verdict };
        const hashes = { tokenHash, answersHash, receivedAt };
        const state = {
          ...{ attempts: 0, nextAttemptAt: receivedAt, held: false, urgent, deliveredAt },
          ...{ parkedAt: null, lastError: null },
        };
        return parseTransferRow(JSON.stringify({ ...content, ...hashes, ...state, leasedUntil: null }));
      },
    );
    for (const rows of [salvaged, lines]) {
      const shared = await openPostgresStore(await createDatabase(), () => {});
      const alone = await openSqliteStore(temporaryFolder());
      onTestFinished(() => Promise.all([shared.close(), alone.close()]).then(() => {}));
      for (const store of [shared, alone]) {
        await store.importRows(rows);
        expect(await openOf(store)).toEqual(openOnes);
      }
    }
  });

  test('what was delivered is open after the migration of PostgreSQL only if it is recent', async () => {
    const url = await createDatabase(empty);
    const client = new pg.Client(url);
    await client.connect();
    await client.query(
      'CREATE TABLE migrations (number integer PRIMARY KEY, applied_at timestamptz NOT NULL)',
    );
    for (const { number, sql } of readMigrations('postgres').filter((one) => one.number < 12)) {
      await client.query(sql);
      await client.query('INSERT INTO migrations VALUES ($1, now())', [number]);
    }
    await client.query(`INSERT INTO definitions VALUES ('form', 'help', '[]')`);
    const add = async (reference: string, delivered: boolean, daysAgo = 0) => {
      const { rows } = await client.query(
        `INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at)
         VALUES ($1, 'help', 'form', '[]', '{}', $1, $1, now() - $2 * interval '1 day') RETURNING id`,
        [reference, daysAgo],
      );
      const deliveredAt = delivered ? new Date() : null;
      const sql = 'INSERT INTO deliveries (submission, next_attempt_at, delivered_at) VALUES ($1, now(), $2)';
      await client.query(sql, [rows[0].id, deliveredAt]);
    };
    await add('DDDD-3333', true, 15);
    await add('RRRR-3333', true, 13);
    await add('WWWW-3333', false);
    const store = await openPostgresStore(url, () => {});
    onTestFinished(() => store.close());
    expect(await openOf(store)).toEqual(['RRRR-3333', 'WWWW-3333']);
    await client.end();
  });
});

test('follow-ups, reminders and alerts cross to PostgreSQL and back, and no later step is overwritten', async () => {
  const url = await createDatabase();
  const source = await openSqliteStore(temporaryFolder());
  const receivedAt = new Date(Date.now() - 120 * minutes);
  const add = async (rank?: number) =>
    referenceOf(
      await source.add(anySubmission({ receivedAt, urgent: true, alert: true, ...(rank && { rank }) })),
    );
  const [taken, answered, reminded] = [await add(), await add(), await add(7)];
  for (const claim of await claimMail(source, new Date(), 9, minutes, 'new'))
    await source.finishDelivery(claim, new Date());
  const namedAt = new Date();
  await source.recordNamed([reminded], namedAt);
  await source.recordStep(taken, 'taken', 'AB', new Date());
  await source.recordStep(answered, 'answered', 'CD', new Date());
  const dueAt = new Date(Date.now() + 120 * minutes);
  for (const claim of await claimReminders(source, new Date()))
    await source.postponeJob(claim, { dueAt, error: 'a sample' });
  const alert = { kind: 'alert again', key: `alert:${reminded}`, dueAt: receivedAt, rank: 7 };
  await source.replaceJob({ ...alert, reference: reminded });
  const until = new Date(Date.now() + minutes);
  const [rows, counts] = [await source.claimForTransfer(new Date(), 99, until), await source.claimCounts()];
  await source.close();

  const shared = await openPostgresStore(url, () => {});
  onTestFinished(() => shared.close());
  // A transfer that was killed has brought them; staff go on there, and it is done again.
  await shared.importRows(rows);
  expect(await openOf(shared)).toEqual([taken, reminded].toSorted());
  await shared.recordStep(taken, 'answered', 'EF', new Date());
  await shared.importRows(rows);
  await shared.mergeCounts(counts);

  const target = await openSqliteStore(temporaryFolder());
  onTestFinished(() => target.close());
  for await (const page of readSnapshot(url, (counts) => void target.mergeCounts(counts)))
    await target.importRows(page);
  expect(await openOf(target)).toEqual([reminded]);
  expect((await target.findSubmission(taken))?.followUp).toMatchObject({ takenBy: 'AB', answeredBy: 'EF' });
  expect((await target.findSubmission(answered))?.followUp.answeredBy).toBe('CD');
  expect(await target.outlineOpen(9, formNames)).toMatchObject([{ reference: reminded, namedAt }]);
  expect(await claimReminders(target, new Date())).toEqual([]);
  expect(await claimReminders(target, dueAt)).toMatchObject([
    { reference: reminded, attempts: 2, rank: 7, dueAt, lastError: 'a sample' },
  ]);
  expect(await claimAlerts(target, new Date())).toMatchObject([
    { reference: reminded, kind: 'alert again', dueAt: receivedAt },
  ]);
  const { answered: figures } = await target.readFigures('2000-01-01', '2099-12-31');
  expect(figures.reduce((sum, { count }) => sum + count, 0)).toBe(2);
});
