import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { FormName } from '../../../model/form-field.ts';
import type { Count, CountRow, CountTransfer, FigureSource } from '../contract/counts.ts';
import { readCounts, readFigures } from '../rows/count-rows.ts';
import {
  countDelivered,
  mergeEqualCounts,
  parseCounts,
  serializeCounts,
  sumSerialized,
} from '../rows/counting.ts';
import { inTransaction } from './database-file.ts';
import { createSqliteSql } from './sqlite-sql.ts';

/** From now on the database counts under another origin: nothing is added to the counts so far. */
export const changeOrigin = 'UPDATE count_origin SET origin = lower(hex(randomblob(8)))';

const columns = '(kind, period, form, field, value, origin, count, most)';

/** Writes counts in the transaction of the submission or delivery that is counted. */
export function prepareCounting(db: DatabaseSync) {
  const add = db.prepare(`
    INSERT INTO counts ${columns} VALUES (?, ?, ?, ?, ?, (SELECT origin FROM count_origin), ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count, most = max(most, excluded.most)`);
  const deferred = `SELECT s.id, s.form, s.to_count, s.received_at, s.accepted_at, s.counted
    FROM submissions s WHERE s.to_count IS NOT NULL`;
  const findAll = db.prepare(deferred);
  const findSome = db.prepare(`${deferred} AND s.reference IN (SELECT value FROM json_each(?))`);
  const setDeferred = db.prepare('UPDATE submissions SET to_count = ? WHERE id = ?');
  const setCounted = db.prepare('UPDATE submissions SET counted = 1 WHERE id = ?');

  const countOnce = db.prepare(
    'UPDATE submissions SET counted = 1 WHERE id = ? AND counted = 0 AND to_count IS NULL',
  );

  const findUncounted = db.prepare('SELECT to_count FROM submissions WHERE id = ? AND answer_counted = 0');
  const setAnswerCounted = db.prepare('UPDATE submissions SET answer_counted = 1 WHERE id = ?');

  function addCounts(counts: readonly Count[]): void {
    for (const { kind, period, form, field, value, count, most } of mergeEqualCounts(counts))
      add.run(kind, period, form, field, value, count, most);
  }

  /** The deferred counts of a submission, its delivery included. They stay deferred, or else the caller must add them. */
  function takeDeferred(row: Record<string, SQLOutputValue>, stayDeferred: boolean): Count[] {
    const counts = parseCounts(String(row.to_count));
    if (row.accepted_at !== null && !row.counted) {
      const [received, delivered] = [new Date(String(row.received_at)), new Date(String(row.accepted_at))];
      counts.push(countDelivered(row.form as FormName, received, delivered));
      setCounted.run(Number(row.id));
    }
    setDeferred.run(stayDeferred ? serializeCounts(counts) : null, Number(row.id));
    return counts;
  }
  const findDeferred = (references: readonly string[]) => findSome.all(JSON.stringify(references));

  return {
    addCounts,

    /** The counts of a whole batch. */
    addSerialized: (rows: readonly { counts: string }[]): void =>
      addCounts(sumSerialized(rows.map(({ counts }) => counts))),

    setCounted: (id: number) => void setCounted.run(id),

    /** Once, however often staff have the request sent again, and not where the shared database will count it. */
    countDelivery(id: number, delivered: Count): void {
      if (Number(countOnce.run(id).changes) === 1) addCounts([delivered]);
    },

    /** The first answer only. It is deferred where the shared database will count the submission. */
    countAnswer(id: number, answered: Count): void {
      const row = findUncounted.get(id);
      if (!row) return;
      setAnswerCounted.run(id);
      if (row.to_count === null) addCounts([answered]);
      else setDeferred.run(serializeCounts([...parseCounts(String(row.to_count)), answered]), id);
    },

    /** Counts here what was deferred for the shared database: all of it, or only what is about to be erased. */
    countDeferred(references?: readonly string[]): void {
      const rows = references ? findDeferred(references) : findAll.all();
      for (const row of rows) addCounts(takeDeferred(row, false));
    },

    /** For a submission that is about to be sent again: its first delivery would otherwise never be counted. */
    deferDeliveryCount(reference: string): void {
      for (const row of findDeferred([reference])) takeDeferred(row, true);
    },
  };
}

/** Counts, for figures and for a transfer to another database. */
export function createSqliteCounts(db: DatabaseSync) {
  const { query } = createSqliteSql(db);
  const merge = db.prepare(`
    INSERT INTO counts ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = max(count, excluded.count), most = max(most, excluded.most)`);

  const stored: FigureSource & CountTransfer = {
    async readFigures(from, to) {
      // One transaction, so one snapshot for all queries.
      db.exec('BEGIN');
      try {
        return await readFigures(query, from, to);
      } finally {
        db.exec('COMMIT');
      }
    },
    readCounts: () => readCounts(query),
    mergeCounts: (rows) =>
      inTransaction(db, () => {
        for (const { kind, period, form, field, value, origin, count, most } of rows)
          merge.run(kind, period, form, field, value, origin, count, most);
      }),
  };
  return {
    ...stored,
    claimCounts: async (): Promise<CountRow[]> => {
      if (!db.prepare('SELECT 1 FROM counts LIMIT 1').get()) return [];
      return inTransaction(db, () => {
        db.exec(changeOrigin);
        return readCounts(query);
      });
    },
    dropCounts: (origins: readonly string[]): void =>
      void db
        .prepare('DELETE FROM counts WHERE origin IN (SELECT value FROM json_each(?))')
        .run(JSON.stringify(origins)),
    countDeferred: (): Promise<void> => inTransaction(db, () => prepareCounting(db).countDeferred()),
  };
}
