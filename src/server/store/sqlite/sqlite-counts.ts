import type { DatabaseSync } from 'node:sqlite';
import type { CountRow, CountTransfer, FigureSource } from '../contract/counts.ts';
import { readCounts, readFigures } from '../rows/count-queries.ts';
import type { Sql } from '../rows/sql.ts';

/** From now on the database counts under another origin: nothing is added to the counts so far. */
export const changeOrigin = 'UPDATE count_origin SET origin = lower(hex(randomblob(8)))';

/** Counts, for figures and for a transfer to another database. */
export function createSqliteCounts(db: DatabaseSync, { query, inTransaction }: Sql) {
  const merge = db.prepare(`
    INSERT INTO counts (kind, period, form, field, value, origin, count, most) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET count = max(count, excluded.count), most = max(most, excluded.most)`);

  const stored: FigureSource & CountTransfer = {
    readFigures: (from, to) => readFigures(query, from, to),
    readCounts: () => readCounts(query),
    mergeCounts: (rows) =>
      inTransaction(async () => {
        for (const { kind, period, form, field, value, origin, count, most } of rows)
          merge.run(kind, period, form, field, value, origin, count, most);
      }),
  };
  return {
    ...stored,
    async claimCounts(): Promise<CountRow[]> {
      if (!db.prepare('SELECT 1 FROM counts LIMIT 1').get()) return [];
      return inTransaction((ask) => {
        db.exec(changeOrigin);
        return readCounts(ask);
      });
    },
    dropCounts: (origins: readonly string[]): void =>
      void db
        .prepare('DELETE FROM counts WHERE origin IN (SELECT value FROM json_each(?))')
        .run(JSON.stringify(origins)),
  };
}
