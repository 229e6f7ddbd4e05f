import type { DatabaseSync } from 'node:sqlite';
import type { FollowUps } from '../contract/follow-ups.ts';
import { countAnswered } from '../rows/counting.ts';
import { createFollowUps, followUpColumns, laterOf } from '../rows/follow-up-queries.ts';
import type { Sql } from '../rows/sql.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';

/** Nothing is ordered by its rank any more, which would tell that others came from the same house. */
const answer = `
  UPDATE submissions SET answered_by = $2, answered_at = $3, followed_up_at = ${laterOf('$3')}, rank = 1
  WHERE id = $1 AND answered_at IS NULL RETURNING ${followUpColumns}`;

export function createSqliteFollowUps(db: DatabaseSync, sql: Sql): FollowUps {
  const { countAnswer } = prepareCounting(db);
  return createFollowUps(sql, ({ id, form, receivedAt, by, at }) =>
    inTransaction(db, async () => {
      const [changed] = (await sql.query(answer, [id, by, at])).rows;
      if (changed) countAnswer(id, countAnswered(form, receivedAt, at));
      return changed;
    }),
  );
}
