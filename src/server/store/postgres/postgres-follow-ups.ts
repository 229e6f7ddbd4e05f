import type { FollowUps } from '../contract/follow-ups.ts';
import { countAnswered, serializeCounts } from '../rows/counting.ts';
import { createFollowUps, followUpColumns, laterOf } from '../rows/follow-up-queries.ts';
import type { Sql } from '../rows/sql.ts';

/**
 * Counts the first answer, however often answers are undone. Nothing is ordered by its rank any more, which would tell that
 * others came from the same house.
 */
const answer = `
  WITH known AS (
    SELECT id, answer_counted FROM submissions WHERE id = $1 AND answered_at IS NULL FOR UPDATE
  ), changed AS (
    UPDATE submissions s SET answered_by = $2, answered_at = $3, followed_up_at = ${laterOf('$3')}, answer_counted = true, rank = 1
    FROM known WHERE s.id = known.id
    RETURNING ${followUpColumns}, known.answer_counted AS was_counted
  )
  SELECT ${followUpColumns}, CASE WHEN NOT was_counted THEN add_counts($4) END FROM changed`;

export function createPostgresFollowUps(sql: Sql): FollowUps {
  return createFollowUps(sql, async ({ id, form, receivedAt, by, at }) => {
    const counts = serializeCounts([countAnswered(form, receivedAt, at)]);
    return (await sql.query(answer, [id, by, at, counts])).rows[0];
  });
}
