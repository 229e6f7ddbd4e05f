import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import {
  addUp,
  type Count,
  type CountRow,
  countDelivered,
  parseCounts,
  sumWritten,
} from '../../figures/counting.ts';
import type { FigureSource } from '../../figures/figures.ts';
import { type CountKeeping, figureQueries, toCountRow, toFigures } from '../count-rows.ts';
import { inTransaction } from './database.ts';
import type { AtOnce } from './thread-calls.ts';

const columns = '(kind, period, form, field, value, origin, count, most)';

/** Writes down what was counted, inside of the transaction of what it is counted of. */
export function prepareCounting(db: DatabaseSync) {
  const add = db.prepare(`
    INSERT INTO counts ${columns} VALUES (?, ?, ?, ?, ?, (SELECT origin FROM count_origin), ?, ?)
    ON CONFLICT DO UPDATE SET count = count + excluded.count, most = max(most, excluded.most)`);
  const noted = `SELECT s.id, s.form, s.to_count, s.received_at, v.delivered_at, v.counted
    FROM submissions s JOIN deliveries v ON v.submission = s.id WHERE s.to_count IS NOT NULL`;
  const findAll = db.prepare(noted);
  const findSome = db.prepare(`${noted} AND s.reference IN (SELECT value FROM json_each(?))`);
  const forget = db.prepare('UPDATE submissions SET to_count = NULL WHERE id = ?');
  const setCounted = db.prepare('UPDATE deliveries SET counted = 1 WHERE submission = ?');

  function addCounts(counts: readonly Count[]): void {
    for (const { kind, period, form, field, value, count, most } of addUp(counts))
      add.run(kind, period, form, field, value, count, most);
  }

  return {
    addCounts,

    /** Of a whole group. */
    addWritten: (rows: readonly { counts: string }[]): void =>
      addCounts(sumWritten(rows.map(({ counts }) => counts))),

    setCounted: (id: number) => void setCounted.run(id),

    /** Counts here what waited for another database, and waits no longer: all of it, or what is about to be erased. */
    countNoted(references?: readonly string[]): void {
      const rows = references ? findSome.all(JSON.stringify(references)) : findAll.all();
      for (const row of rows) {
        const { form } = row as unknown as Count;
        const counts = parseCounts(String(row.to_count));
        const [received, delivered] = [new Date(String(row.received_at)), row.delivered_at];
        if (delivered !== null && !row.counted) {
          counts.push(countDelivered(form, received, new Date(String(delivered))));
          setCounted.run(Number(row.id));
        }
        addCounts(counts);
        forget.run(Number(row.id));
      }
    },
  };
}

/** What is counted, for whoever asks for figures, and on its way to another database. */
export function createSqliteCounts(db: DatabaseSync) {
  const queries = figureQueries('?1', '?2');
  const merge = db.prepare(`
    INSERT INTO counts ${columns} VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = max(count, excluded.count), most = max(most, excluded.most)`);
  const readCounts = (): CountRow[] => db.prepare('SELECT * FROM counts').all().map(toCountRow);
  const rename = () => db.exec('UPDATE count_origin SET origin = lower(hex(randomblob(8)))');

  const kept: AtOnce<FigureSource & CountKeeping> = {
    readFigures(from, to) {
      const read = (sql: string) => db.prepare(sql).all(...([from, to] as SQLInputValue[]));
      // In one transaction, so that all of it is of one moment.
      db.exec('BEGIN');
      try {
        return toFigures({
          received: read(queries.received),
          choices: read(queries.choices),
          hours: read(queries.hours),
          delivered: read(queries.delivered),
        });
      } finally {
        db.exec('COMMIT');
      }
    },
    readCounts,
    mergeCounts: (rows) =>
      inTransaction(db, () => {
        for (const { kind, period, form, field, value, origin, count, most } of rows)
          merge.run(kind, period, form, field, value, origin, count, most);
      }),
  };
  return {
    ...kept,
    /** All that is counted here, which nothing is added to any more: what comes is counted under another name. */
    claimCounts: (): CountRow[] => {
      if (!db.prepare('SELECT 1 FROM counts LIMIT 1').get()) return [];
      return inTransaction(db, () => {
        rename();
        return readCounts();
      });
    },
    dropCounts: (origins: readonly string[]): void =>
      void db
        .prepare('DELETE FROM counts WHERE origin IN (SELECT value FROM json_each(?))')
        .run(JSON.stringify(origins)),
    countNoted: (): void => inTransaction(db, () => prepareCounting(db).countNoted()),
  };
}
