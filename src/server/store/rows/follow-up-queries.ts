import { type FormName, formNames } from '../../../model/form-field.ts';
import type { FollowUps, TeamStep } from '../contract/follow-ups.ts';
import { alertKinds } from '../contract/submission-jobs.ts';
import { createSaveChange, isWish } from './change-queries.ts';
import { doubtful, inTurns, trapped } from './conditions.ts';
import { withFirst } from './count-queries.ts';
import { countAnswered } from './counting.ts';
import { selectSubmissions } from './selects.ts';
import type { Row, Sql } from './sql.ts';
import { toDate, toFollowUp, toStoredSubmission, toTime } from './submission-row.ts';
import { laterOf } from './time-queries.ts';
import { createUnseen } from './unseen-queries.ts';

const followUpColumns =
  'taken_by, taken_at, answered_by, answered_at, seen_at, no_contact_by, no_contact_at, withdrawn_by, withdrawn_at';
/** Somebody is on it: nobody needs to be alerted any more. What is being sent finds its lease gone. */
export const endAlerts = `DELETE FROM jobs WHERE submission = $1 AND kind IN (${alertKinds.map((kind) => `'${kind}'`)})`;

const take = `
  UPDATE submissions SET taken_by = $2, taken_at = $3, followed_up_at = ${laterOf('$3')}
  WHERE id = $1 AND taken_at IS NULL AND answered_at IS NULL RETURNING ${followUpColumns}`;
const undo = (step: TeamStep, since: Date | undefined) => `
  UPDATE submissions SET ${step}_by = NULL, ${step}_at = NULL, followed_up_at = ${laterOf('$2')}
  WHERE id = $1 AND ${step}_at ${since ? '= $3' : 'IS NOT NULL'} RETURNING ${followUpColumns}`;

const read = (isOneOf: string) => `
  UPDATE submissions SET read_at = $2, followed_up_at = ${laterOf('$2')}
  WHERE read_at IS NULL AND ${isOneOf}`;

/**
 * The first answer is counted, however often answers are undone. Nothing is ordered by its rank any more, which would tell
 * that others came from the same house.
 */
const answer = `
  UPDATE submissions SET answered_by = $2, answered_at = $3, followed_up_at = ${laterOf('$3')}, rank = 1,
    counts = ${withFirst('answered', '$4')}
  WHERE id = $1 AND answered_at IS NULL RETURNING ${followUpColumns}`;

/** Follow-ups. Every time in them is the database's own, as in the delivery queue. */
export function createFollowUps(sql: Sql): FollowUps {
  const { query, toDatabaseTime, dialect } = sql;
  const { yes, isOneOf } = dialect;
  const isNotCanary = `s.canary <> ${yes}`;
  const find = `
    SELECT s.id, s.form, s.received_at, s.changes, ${followUpColumns} FROM submissions s
    WHERE s.reference = $1 AND ${isNotCanary}`;
  const openOnes = `FROM submissions s
    WHERE s.answered_at IS NULL AND s.withdrawn_at IS NULL AND ${isNotCanary}`;
  // The first found and then read: sorted with their answers, many open ones would not fit into memory.
  const byTurns = `${doubtful}, s.rank, s.received_at, s.id`;
  const byUrgency = `${doubtful}, s.urgent DESC, s.rank, s.received_at, s.id`;
  const order = `ORDER BY ${byUrgency}`;
  const list = `${selectSubmissions} WHERE s.id IN (SELECT s.id ${openOnes} AND ${isOneOf('s.form', '$2')} ${order} LIMIT $1) ${order}`;
  const outline = `
    SELECT s.reference, s.form, s.received_at, s.urgent, ${doubtful} AS doubtful, ${trapped} AS trapped, s.accepted_at, s.taken_at, s.seen_at, s.named_at
    FROM submissions s
    WHERE s.id IN (SELECT s.id ${openOnes} AND ${isOneOf('s.form', '$2')} ORDER BY ${inTurns(byUrgency, byTurns)} LIMIT $1)
    ORDER BY ${byUrgency}`;
  const name = `
    UPDATE submissions SET named_at = $2
    WHERE ${isOneOf('reference', '$1')}`;
  const summarise = `
    SELECT s.form, count(*) AS open, count(*) FILTER (WHERE s.urgent = ${yes} AND s.taken_at IS NULL) AS urgent,
           min(s.received_at) AS oldest ${openOnes} GROUP BY s.form ORDER BY s.form`;

  const saveChange = createSaveChange(sql, followUpColumns);
  const findKnown = async (reference: string) => (await query(find, [reference])).rows[0];

  /** Changes the submission by `change`, which resolves to the state after it, or to undefined where it changed nothing. */
  async function changeOne(reference: string, change: (known: Row) => Promise<Row | undefined>) {
    const known = await findKnown(reference);
    if (!known) return null;
    const changed = await change(known);
    // Somebody else may have been first, since it was found.
    const state = changed ?? (await findKnown(reference));
    return state ? { changed: changed !== undefined, followUp: toFollowUp(state) } : null;
  }

  return {
    recordStep: (reference, step, by, now) =>
      changeOne(reference, async (known) => {
        const { id, form, received_at } = known;
        const at = await toDatabaseTime(now);
        if (isWish(step)) return saveChange(known, { at, by, said: step });
        const counted = JSON.stringify(countAnswered(form as FormName, toTime(received_at), at));
        const { rows } = await (step === 'taken'
          ? query(take, [id, by, at])
          : query(answer, [id, by, at, counted]));
        const [changed] = rows;
        if (changed) await query(endAlerts, [id]);
        return changed;
      }),
    undoStep: (reference, step, now, since, by = null) =>
      changeOne(reference, async (known) => {
        const at = await toDatabaseTime(now);
        if (isWish(step)) return saveChange(known, { at, by, said: step, isUndo: true }, since);
        return (await query(undo(step, since), [known.id, at, ...(since ? [since] : [])])).rows[0];
      }),
    addChange: (reference, { at, ...change }) =>
      changeOne(reference, async (known) => saveChange(known, { ...change, at: await toDatabaseTime(at) })),

    async recordRead(references, at) {
      const { rowCount } = await query(read(isOneOf('reference', '$1')), [
        references,
        await toDatabaseTime(at),
      ]);
      return rowCount ?? 0;
    },

    listOpen: async (limit, forms = formNames) =>
      (await query(list, [limit, forms])).rows.map(toStoredSubmission),
    async outlineOpen(limit, forms) {
      const { rows } = await query(outline, [limit, forms]);
      return rows.map((row) => ({
        reference: String(row.reference),
        form: row.form as FormName,
        receivedAt: toTime(row.received_at),
        urgent: Boolean(row.urgent),
        doubtful: Boolean(row.doubtful),
        trapped: Boolean(row.trapped),
        deliveredAt: toDate(row.accepted_at),
        takenAt: toDate(row.taken_at),
        seenAt: toDate(row.seen_at),
        namedAt: toDate(row.named_at),
      }));
    },
    async recordNamed(references, at) {
      await query(name, [references, await toDatabaseTime(at)]);
    },
    async summariseOpen() {
      const { rows } = await query(summarise);
      return rows.map((row) => ({
        form: row.form as FormName,
        open: Number(row.open),
        urgentUntaken: Number(row.urgent),
        oldestReceivedAt: toTime(row.oldest),
      }));
    },

    ...createUnseen(sql),
  };
}
