import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../test/support/databases.ts';
import { eachStore } from '../../../test/support/each-store.ts';
import { referenceOf } from '../../../test/support/fallback.ts';
import { anySubmission } from '../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { claimMail } from './contract/mail-jobs.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { parseTransferRow, type TransferRow } from './rows/transfer-row.ts';
import { databasePath } from './sqlite/database-file.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';

/** What is counted of a request, when its list is damaged, incomplete or locked. */

const noon = new Date('2026-02-28T23:30:00Z');
const ever = ['0000-01-01', '9999-12-31'] as const;
const minutes = 60_000;

/** A request as a server transfers it. */
async function transferRow(changes: Partial<TransferRow> = {}): Promise<TransferRow> {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  await store.add(anySubmission({ receivedAt: noon }));
  const [row] = await store.claimForTransfer(noon, 1, new Date(noon.getTime() + minutes));
  await store.close();
  if (!row) throw new Error('There is none');
  return { ...row, ...changes };
}

describe.each(eachStore())('%s', (_name, { open }) => {
  async function prepare() {
    const opened = await open();
    onTestFinished(() => opened.close());
    return opened.store;
  }

  test.each([
    ['cut off', '[{"kind":'],
    ['no list', '{"kind":"received"}'],
    ['of another kind', '["abc"]'],
    [
      'half a letter',
      '[{"kind":"received","period":"2026","form":"help","field":"","value":"\\ud800","count":1,"most":0}]',
    ],
    [
      'no whole number',
      '[{"kind":"received","period":"2026","form":"help","field":"","value":"","count":1.5,"most":0}]',
    ],
    ['empty', '[]'],
  ])('counts that are %s stop neither a transfer, nor the figures, nor an erasure', async (_what, counts) => {
    const store = await prepare();
    const row = await transferRow({ counts });
    expect(await store.importRows([row])).toBe(1);
    expect((await store.readFigures(...ever)).received).toEqual([]);
    for (const claim of await claimMail(store, noon, 10, minutes, 'new'))
      expect(await store.finishDelivery(claim, noon)).toBe(true);
    expect((await store.readFigures(...ever)).delivered).toMatchObject([{ count: 1 }]);
    await store.eraseSubmissions([row.reference]);
    expect(await store.findSubmission(row.reference)).toBeNull();
    expect((await store.readFigures(...ever)).delivered).toMatchObject([{ count: 1 }]);
  });

  test('a delivery that an earlier version left for the other database to count is counted there, once', async () => {
    const store = await prepare();
    const row = await transferRow({ deliveredAt: new Date(noon.getTime() + 5_000).toISOString() });
    for (const _again of [1, 2]) await store.importRows([row]);
    const { received, delivered } = await store.readFigures(...ever);
    expect([received, delivered]).toMatchObject([[{ count: 1 }], [{ count: 1, slowestSeconds: 5 }]]);
  });
});

test('damaged counts in the file itself stop neither the figures nor an erasure', async () => {
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  onTestFinished(() => store.close());
  const [damaged, whole] = [
    referenceOf(await store.add(anySubmission())),
    referenceOf(await store.add(anySubmission())),
  ];
  {
    using db = new DatabaseSync(databasePath(dataDir));
    db.prepare('UPDATE submissions SET counts = ? WHERE reference = ?').run('["abc"', damaged);
  }
  expect((await store.readFigures(...ever)).received).toMatchObject([{ count: 1 }]);
  await store.eraseSubmissions([damaged, whole]);
  expect((await store.readFigures(...ever)).received).toMatchObject([{ count: 1 }]);
});

test('an answer is counted of what a restore opens again, and not of what an earlier version took for answered', async () => {
  const row = await transferRow();
  const line = (changes: object) => {
    const { counts: _counts, readAt: _readAt, ...before } = row;
    return parseTransferRow(JSON.stringify({ ...before, counted: true, answerCounted: true, ...changes }));
  };
  const recent = new Date().toISOString();
  const open = line({ receivedAt: recent, deliveredAt: recent, answeredAt: recent, answeredBy: null });
  expect([open.answeredAt, open.counts.includes('"kind":"answered"')]).toEqual([null, false]);
  const old = line({ deliveredAt: row.receivedAt, answeredAt: undefined, answerCounted: undefined });
  expect([old.answeredAt, old.counts.includes('"kind":"answered"')]).toEqual([row.receivedAt, true]);
});

test('no server mails a request that is being erased in PostgreSQL', async () => {
  const url = await createDatabase();
  const [store, other] = [await openPostgresStore(url, () => {}), await openPostgresStore(url, () => {})];
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(async () => {
    await Promise.all([client.end(), store.close(), other.close()]);
  });
  await store.eraseSubmissions([referenceOf(await store.add(anySubmission()))]);
  const reference = referenceOf(await store.add(anySubmission()));
  await client.query('BEGIN; LOCK TABLE counts IN EXCLUSIVE MODE');
  const erasing = store.eraseOne(reference, new Date());
  const waiting = `SELECT count(*)::integer AS n FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect.poll(async () => (await client.query(waiting)).rows[0].n, { timeout: 20_000 }).toBe(1);
  expect(await claimMail(other, new Date(), 10, minutes, 'new')).toEqual([]);
  await client.query('COMMIT');
  expect(await erasing).toBe('erased');
});
