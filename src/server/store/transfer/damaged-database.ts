import type { CountRow } from '../contract/counts.ts';
import { toCountRow } from '../rows/count-queries.ts';
import { isCount } from '../rows/counting.ts';
import { type TransferRow, toTransferRow } from '../rows/transfer-row.ts';
import { connectSqlite } from '../sqlite/connection.ts';
import { sqliteDialect } from '../sqlite/sqlite-sql.ts';
import { asText, mendRow } from './mended-rows.ts';

/** The counts, as far as they can still be read. */
export function salvageCounts(path: string): CountRow[] {
  try {
    using db = connectSqlite(path, { readOnly: true, timeout: 5_000 });
    return db.prepare('SELECT * FROM counts').all().map(toCountRow).filter(isCount);
  } catch {
    return [];
  }
}

/** After this many unreadable rows in succession there are assumed to be no more. */
const giveUpAfter = 20_000;

/** Without them the submission gets those that it would have. */
const selectJobs = `SELECT ${sqliteDialect.writeJobs('?').replace('FROM jobs', 'FROM jobs NOT INDEXED')} AS jobs`;

/** No column of ours holds bytes. */
const withoutBytes = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value instanceof Uint8Array ? asText(value) : value]),
  );

/**
 * The submissions that can still be read in a damaged database, row by row and without its indexes, which break first.
 * A submission whose state cannot be read counts as waiting: better mailed twice than never.
 */
export function* salvageRows(path: string): Generator<TransferRow> {
  using db = connectSqlite(path, { readOnly: true, timeout: 5_000, defensive: false });
  // Reads on where only the description of an index is broken. Throws where nothing can be read.
  db.exec('PRAGMA writable_schema = ON');
  db.prepare('PRAGMA schema_version').get();
  const read = (sql: string, ...args: (string | number)[]): Record<string, unknown> | null => {
    try {
      const found = db.prepare(sql).get(...args);
      return found ? withoutBytes(found) : null;
    } catch {
      return null;
    }
  };
  const last = Number(read('SELECT max(id) AS id FROM submissions NOT INDEXED')?.id ?? 0);
  let missed = 0;
  for (let id = 1; id <= last || missed < giveUpAfter; id++) {
    const submission = read('SELECT * FROM submissions NOT INDEXED WHERE id = ?', id);
    missed = submission ? 0 : missed + 1;
    if (!submission || submission.reference === null) continue;
    const delivery = read('SELECT * FROM deliveries NOT INDEXED WHERE submission = ?', id);
    const form = read(
      'SELECT definition FROM definitions NOT INDEXED WHERE hash = ?',
      String(submission.definition),
    );
    const row = toTransferRow({
      ...{ ...delivery, ...read(selectJobs, id) },
      // In a damaged file one bit may make a person's request a canary, which is erased: better a canary that reaches staff.
      ...{ ...submission, canary: 0, definition_text: form?.definition ?? '[]' },
    });
    // Later requests of the same form must not be joined to a form that is damaged here.
    yield mendRow(row);
  }
}
