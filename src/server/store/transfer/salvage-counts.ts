import { DatabaseSync } from 'node:sqlite';
import type { CountRow } from '../contract/counts.ts';
import { toCountRow } from '../rows/count-rows.ts';
import { type TransferRow, toTransferRow } from '../rows/transfer-row.ts';

/** What is counted, as far as it can still be read: whoever takes it in twice has it once. */
export function salvageCounts(path: string): CountRow[] {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    return db.prepare('SELECT * FROM counts').all().map(toCountRow);
  } catch {
    return [];
  }
}

/** Rows that cannot be read, one after the other, before it is taken that there are no more. */
const giveUpAfter = 20_000;

/**
 * All that can still be read in a damaged database, row by row and without its indexes, which are what breaks first.
 * What is not known about a delivery counts as not done: better twice with staff than never.
 */
export function* salvageRows(path: string): Generator<TransferRow> {
  using db = new DatabaseSync(path, { readOnly: true, timeout: 5_000, defensive: false });
  // Goes on where the description of an index is what is broken. Where there is nothing to read at all it throws.
  db.exec('PRAGMA writable_schema = ON');
  db.prepare('PRAGMA schema_version').get();
  const read = (sql: string, ...given: (string | number)[]): Record<string, unknown> | null => {
    try {
      return db.prepare(sql).get(...given) ?? null;
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
    yield toTransferRow({
      ...{ attempts: 0, next_attempt_at: submission.received_at, delivered_at: null, parked_at: null },
      ...{ last_error: null, ...delivery, leased_until: null },
      // In a damaged file one bit may make a person's request a canary, which is erased: rather a canary with staff.
      ...{ ...submission, canary: 0, definition_text: form?.definition ?? '[]' },
    });
  }
}
