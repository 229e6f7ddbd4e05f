import { closeSync, fsyncSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { Store } from '../../src/server/store/contract/store.ts';
import { openPostgresStore } from '../../src/server/store/postgres/postgres-store.ts';
import { databasePath } from '../../src/server/store/sqlite/database-file.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { sampleEntries, shippedContent } from '../../test/support/forms.ts';

/**
 * A store with many invented requests, inserted by SQL alone: through the store a million would take an hour. They came in
 * over the last twenty days, and all but the newest were delivered a minute later.
 */

export interface FilledStore {
  store: Store;
  folder: string;
  /** Opens the same database again, as at a start. */
  open(): Promise<Store>;
  /** Makes the oldest requests older than the retention period. */
  expire(count: number): Promise<void>;
}

/** Due deliveries that were tried once, as many in each store: only the number of delivered requests differs. */
const due = 200;
const spreadMs = 20 * 86_400_000;
/** Token hashes spread over the whole index, in ascending order, in which an index fills fastest. */
const hashStep = (rows: number) => Math.floor(Number.MAX_SAFE_INTEGER / rows);

const { hash, name, definition } = shippedContent.forms.help;
const answers = JSON.stringify(sampleEntries.help);
const verdict = JSON.stringify({ kind: 'clean' });
const form = [hash, name, JSON.stringify(definition)] as const;

export async function fillSqlite(dataDir: string, rows: number): Promise<FilledStore> {
  // Opening the store creates its tables.
  await (await openSqliteStore(dataDir)).close();
  writeSqlite(dataDir, rows);
  syncFile(databasePath(dataDir));
  const open = () => openSqliteStore(dataDir);
  return {
    ...{ folder: dataDir, open, store: await open() },
    async expire(count) {
      using db = new DatabaseSync(databasePath(dataDir), { timeout: 5_000 });
      const oldest = 'SELECT id FROM submissions ORDER BY id LIMIT ?';
      const sql = `UPDATE submissions SET accepted_at = ? WHERE id IN (${oldest})`;
      db.prepare(sql).run(new Date(Date.now() - 2 * spreadMs).toISOString(), count);
    },
  };
}

/** Otherwise the first submission waits for the sync of the whole file. */
function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  fsyncSync(file);
  closeSync(file);
}

const insertMail = `
  INSERT INTO jobs (kind, key, submission, due_at, attempts) SELECT 'mail again', 'mail:' || reference, id, received_at, 1
  FROM submissions WHERE accepted_at IS NULL`;

function writeSqlite(dataDir: string, rows: number): void {
  using db = new DatabaseSync(databasePath(dataDir));
  db.exec('PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; PRAGMA cache_size = -400000');
  db.exec('BEGIN');
  db.prepare('INSERT INTO definitions (hash, form, definition) VALUES (?, ?, ?)').run(...form);
  const times = { rows, from: (Date.now() - spreadMs) / 1000, step: spreadMs / 1000 / rows };
  const columns = { name, hash, answers, verdict, hashStep: hashStep(rows) };
  const each = 'WITH RECURSIVE each(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM each WHERE n < :rows)';
  const at = (plus: number) => `strftime('%Y-%m-%dT%H:%M:%fZ', :from + n * :step + ${plus}, 'unixepoch')`;
  db.prepare(`${each}
    INSERT INTO submissions (id, reference, form, definition, answers, verdict, token_hash, answers_hash, received_at, accepted_at)
    SELECT n, printf('%04d-%04d', n / 10000, n % 10000), :name, :hash, :answers, :verdict,
      printf('%014x%050d', n * :hashStep, n), printf('%064x', n), ${at(0)},
      iif(n <= :rows - ${due}, ${at(60)}, NULL) FROM each`).run({
    ...times,
    ...columns,
  });
  db.exec(insertMail);
  db.exec('COMMIT; PRAGMA journal_mode = WAL');
}

export async function fillPostgres(url: string, rows: number): Promise<FilledStore> {
  await (await openPostgresStore(url, () => {})).close();
  await inPostgres(url, (client) => writePostgres(client, rows));
  const open = () => openPostgresStore(url, () => {});
  return {
    ...{ folder: tmpdir(), open, store: await open() },
    expire: (count) =>
      inPostgres(url, (client) =>
        client.query(
          `UPDATE submissions SET accepted_at = now() - $1 * interval '1 ms'
           WHERE id IN (SELECT id FROM submissions ORDER BY id LIMIT $2)`,
          [2 * spreadMs, count],
        ),
      ),
  };
}

async function inPostgres(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function writePostgres(client: pg.Client, rows: number): Promise<void> {
  // No foreign key checks: a million lookups of rows that are known to be there.
  await client.query('SET session_replication_role = replica');
  await client.query('INSERT INTO definitions (hash, form, definition) VALUES ($1, $2, $3)', [...form]);
  const at = `date_trunc('milliseconds', now() - $2::float8 * interval '1 ms' * (1 - n::float8 / $1))`;
  await client.query(
    `INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at, accepted_at)
     SELECT lpad((n / 10000)::text, 4, '0') || '-' || lpad((n % 10000)::text, 4, '0'), $3, $4, $5, $6,
       lpad(to_hex(n * $7::bigint), 14, '0') || lpad(n::text, 50, '0'), lpad(to_hex(n), 64, '0'), ${at},
       CASE WHEN n <= $1::integer - ${due} THEN ${at} + interval '1 minute' END
     FROM generate_series(1, $1::integer) n`,
    [rows, spreadMs, name, hash, answers, verdict, hashStep(rows)],
  );
  await client.query(insertMail);
  // As autovacuum does after so many inserts.
  await client.query('VACUUM ANALYZE');
}
