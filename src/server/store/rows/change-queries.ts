import {
  type Change,
  changedKind,
  changePace,
  mostChanges,
  mostDetails,
  type Wish,
  wishes,
} from '../contract/changes.ts';
import type { Sql } from './sql.ts';
import { readChanges, toLine } from './stored-changes.ts';
import { laterOf } from './time-queries.ts';

/** What a person said after sending, in two columns each and in the list of all that was said. */

export const isWish = (step: string): step is Wish => wishes.some((wish) => wish === step);

/** 'no_contact' or 'withdrawn', of which `_by` and `_at` are columns. */
export const columnOf = (step: string): string => step.replace('-', '_');

/** First, as the erasing and a delivery lock them: then no two wait for each other. Only PostgreSQL. */
const lockJobs = 'SELECT 1 FROM jobs WHERE submission = $1 ORDER BY id FOR UPDATE';

/** $1: the submission, $2: when. Takes the place of a job that a server is at: it mails what was newest before. */
const mailChange = `
  INSERT INTO jobs (kind, key, submission, due_at)
  SELECT '${changedKind}', '${changedKind}:' || reference, id, $2 FROM submissions WHERE id = $1
  ON CONFLICT (key) DO UPDATE SET leased_until = NULL, attempts = 0, last_error = NULL, done = 0,
    due_at = CASE WHEN jobs.due_at < excluded.due_at THEN jobs.due_at ELSE excluded.due_at END`;

/** Whoever pressed without end must not prevent the wish that keeps somebody safe. */
const mostOf: Record<Wish, number> = { 'no-contact': mostDetails, withdrawn: mostChanges };

const recordWish = (wish: Wish, columns: string) => `
  UPDATE submissions SET ${columnOf(wish)}_by = $2, ${columnOf(wish)}_at = $3, followed_up_at = ${laterOf('$3')},
    changes = changes || $4
  WHERE id = $1 AND ${columnOf(wish)}_at IS NULL AND length(changes) < ${mostOf[wish]} RETURNING ${columns}`;
const undoWish = (wish: Wish, since: boolean, columns: string) => `
  UPDATE submissions SET ${columnOf(wish)}_by = NULL, ${columnOf(wish)}_at = NULL, followed_up_at = ${laterOf('$2')},
    changes = changes || $3
  WHERE id = $1 AND ${columnOf(wish)}_at ${since ? '= $4' : 'IS NOT NULL'} RETURNING ${columns}`;
/** Who tried to reach them has seen it. */
const append = (isUnreached: boolean, columns: string) => `
  UPDATE submissions SET changes = changes || $3, followed_up_at = ${laterOf('$2')}${isUnreached ? ', read_at = $2' : ''}
  WHERE id = $1 AND length(changes) < ${isUnreached ? mostChanges : mostDetails} RETURNING ${columns}`;

/** Records a change of a submission that is known, and the duty to mail it. Resolves to the columns after it, or to undefined. */
export const createSaveChange =
  ({ inTransaction, dialect }: Sql, columns: string) =>
  (known: Record<string, unknown>, change: Change, since?: Date) => {
    const { at, by, isUndo = false } = change;
    const line = toLine(change);
    const recent = readChanges(known.changes).filter(
      (one) => at.getTime() - one.at.getTime() < changePace.withinMs,
    );
    const waitMs = recent.length >= changePace.most ? changePace.waitMs : 0;
    const [text, values] =
      change.said === 'unreached' || change.said === 'details'
        ? [append(change.said === 'unreached', columns), [known.id, at, line]]
        : isUndo
          ? [
              undoWish(change.said, since !== undefined, columns),
              [known.id, at, line, ...(since ? [since] : [])],
            ]
          : [recordWish(change.said, columns), [known.id, by, at, line]];
    return inTransaction(async (query) => {
      if (dialect.forUpdate) await query(lockJobs, [known.id]);
      const [changed] = (await query(text, values)).rows;
      if (changed) await query(mailChange, [known.id, new Date(at.getTime() + waitMs)]);
      return changed;
    });
  };
