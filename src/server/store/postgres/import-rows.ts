import type { ClientBase, Pool } from 'pg';
import type { Count } from '../contract/counts.ts';
import type { TransferTarget } from '../contract/transfer.ts';
import { countDelivered, parseCounts, serializeCounts } from '../rows/counting.ts';
import { aliasesOf, matchSubmission } from '../rows/same-submission.ts';
import { saveFollowUp } from '../rows/save-follow-up.ts';
import type { TransferRow } from '../rows/transfer-row.ts';
import { commit } from './lost-commit.ts';
import { isMoveLease, moveLease } from './move-lease.ts';
import { queryOn, withClient } from './postgres-sql.ts';

const insertDefinition =
  'INSERT INTO definitions (hash, form, definition) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';

const insertSubmission = `
  INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary, language)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id`;

const insertDelivery = `
  INSERT INTO deliveries (submission, attempts, next_attempt_at, held, urgent, rank, escalated_at, delivered_at, parked_at, last_error, counted, leased_until)
  VALUES ($1, $2, least($3::timestamptz, now()), $4, $5, $6, $7, $8, $9, $10, $11, ${moveLease('$12')})`;

/** A move that is run again updates the state of a delivery, unless a server here has leased it meanwhile. */
const refreshDelivery = `
  UPDATE deliveries SET attempts = $2, next_attempt_at = least($3::timestamptz, now()), held = $4, urgent = $5, rank = $6,
    escalated_at = $7, delivered_at = $8, parked_at = $9, last_error = $10, counted = counted OR $11,
    leased_until = ${moveLease('$12')}
  WHERE submission = $1 AND delivered_at IS NULL AND (leased_until IS NULL OR leased_until <= now() OR ${isMoveLease})`;

/**
 * A submission that the other database has delivered since the first try needs no second mail. Where a server ends an
 * interrupted move, the leases of the move end: the other database is about to drop these submissions.
 */
const updateSame = `
  WITH known AS (
    SELECT submission, counted FROM deliveries
    WHERE submission = $1 AND delivered_at IS NULL AND ($2::timestamptz IS NOT NULL OR ${isMoveLease}) FOR UPDATE
  )
  UPDATE deliveries v SET delivered_at = $2, counted = v.counted OR $2::timestamptz IS NOT NULL,
    leased_until = CASE WHEN ${isMoveLease} THEN NULL ELSE leased_until END
  FROM known WHERE v.submission = known.submission RETURNING known.counted`;

/** For a submission that the other database has delivered before and is to deliver again. */
const setCounted = 'UPDATE deliveries SET counted = true WHERE submission = $1 AND NOT counted';

/** All rows in one transaction. */
export function createImport(pool: Pool): TransferTarget<TransferRow>['importRows'] {
  return (rows) =>
    withClient(pool, async (client) => {
      await client.query('BEGIN');
      let count = 0;
      const counts: Count[] = [];
      for (const row of rows) if (await importRow(client, row, counts)) count++;
      await addCounts(client, counts);
      await commit(client);
      return count;
    });
}

/** Writes the counts that {@link importRow} found, in the same transaction. */
export async function addCounts(client: ClientBase, counts: readonly Count[]): Promise<void> {
  if (counts.length > 0) await client.query('SELECT add_counts($1)', [serializeCounts(counts)]);
}

/**
 * Resolves to whether the submission is new here; its counts are added to `counts`. During a move, undelivered
 * submissions are leased, so that none is mailed before all of them are here.
 */
export async function importRow(
  client: ClientBase,
  row: TransferRow,
  counts: Count[],
  isMove = false,
): Promise<boolean> {
  const { form, definition } = row;
  const { tokenHashes, references } = aliasesOf(row);
  const known = await client.query(
    'SELECT id, reference, token_hash FROM submissions WHERE token_hash = ANY ($1) OR reference = ANY ($2)',
    [tokenHashes, references],
  );
  const { attempts, nextAttemptAt, held, urgent, rank = 1, escalatedAt, deliveredAt } = row;
  const delivered = deliveredAt && countDelivered(form, new Date(row.receivedAt), new Date(deliveredAt));
  const isLeased = isMove && deliveredAt === null;
  const { same, newRow } = matchSubmission(row, known.rows);
  const state = [attempts, nextAttemptAt, held, urgent, rank, escalatedAt, deliveredAt];
  state.push(row.parkedAt, row.lastError, (same ? row : newRow).counted || delivered !== null);
  if (same) {
    const ofKind = (name: Count['kind']) => parseCounts(row.counts).filter(({ kind }) => kind === name);
    const isAnswerNew = await saveFollowUp(queryOn(client), same.id, row, false);
    if (isMove) await client.query(refreshDelivery, [same.id, ...state, isLeased]);
    else {
      if (isAnswerNew) counts.push(...ofKind('answered'));
      const earlierDeliveries = ofKind('delivered');
      if (earlierDeliveries.length > 0 && (await client.query(setCounted, [same.id])).rowCount === 1)
        counts.push(...earlierDeliveries);
      const [updated] = (await client.query(updateSame, [same.id, deliveredAt])).rows;
      if (updated && !updated.counted && !row.counted && delivered) counts.push(delivered);
    }
    return false;
  }

  await client.query(insertDefinition, [definition, form, row.definitionText]);
  const columns = [
    row.answers,
    row.sealedAnswers,
    row.verdict,
    newRow.tokenHash,
    row.answersHash,
    row.receivedAt,
  ];
  const submission = [newRow.reference, form, definition, ...columns, row.canary ?? false, row.language];
  const inserted = await client.query(insertSubmission, submission);
  await client.query(insertDelivery, [inserted.rows[0].id, ...state, isLeased]);
  await saveFollowUp(queryOn(client), inserted.rows[0].id, newRow, true);
  counts.push(...parseCounts(newRow.counts));
  if (newRow.counts !== '' && !newRow.counted && delivered) counts.push(delivered);
  return true;
}
