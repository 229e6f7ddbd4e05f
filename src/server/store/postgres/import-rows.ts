import type { ClientBase, Pool } from 'pg';
import type { Count } from '../contract/counts.ts';
import type { TransferTarget } from '../contract/transfer.ts';
import { countDelivered, parseCounts, serializeCounts } from '../rows/counting.ts';
import { aliasesOf, matchSubmission } from '../rows/same-submission.ts';
import { saveFollowUp } from '../rows/save-follow-up.ts';
import { insertJobs, mergeJobs } from '../rows/submission-jobs.ts';
import type { TransferRow } from '../rows/transfer-row.ts';
import { commit } from './lost-commit.ts';
import { postgresDialect, queryOn, withClient } from './postgres-sql.ts';

const insertDefinition =
  'INSERT INTO definitions (hash, form, definition) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';

const insertSubmission = `
  INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at,
    canary, language, urgent, rank, accepted_at, counted)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING id`;

/** A submission that the other database has delivered since the first try needs no second mail. */
const updateSame = `
  WITH known AS (
    SELECT id, counted FROM submissions WHERE id = $1 AND accepted_at IS NULL FOR UPDATE
  )
  UPDATE submissions s SET accepted_at = $2, counted = true FROM known WHERE s.id = known.id RETURNING known.counted`;
const endMail = `DELETE FROM jobs WHERE submission = $1 AND key LIKE 'mail:%'`;

/** For a submission that the other database has delivered before and is to deliver again. */
const setCounted = 'UPDATE submissions SET counted = true WHERE id = $1 AND NOT counted';

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

/** Resolves to whether the submission is new here; its counts are added to `counts`. */
async function importRow(client: ClientBase, row: TransferRow, counts: Count[]): Promise<boolean> {
  const { form, definition } = row;
  const { tokenHashes, references } = aliasesOf(row);
  const known = await client.query(
    'SELECT id, reference, token_hash FROM submissions WHERE token_hash = ANY ($1) OR reference = ANY ($2)',
    [tokenHashes, references],
  );
  const { urgent, rank = 1, deliveredAt } = row;
  const delivered = deliveredAt && countDelivered(form, new Date(row.receivedAt), new Date(deliveredAt));
  const { same, newRow } = matchSubmission(row, known.rows);
  const isCounted = (same ? row : newRow).counted || delivered !== null;
  if (same) {
    const ofKind = (name: Count['kind']) => parseCounts(row.counts).filter(({ kind }) => kind === name);
    for (const sql of mergeJobs(postgresDialect))
      await client.query(sql, [same.id, same.reference, row.jobs]);
    const isAnswerNew = await saveFollowUp(queryOn(client), same.id, row);
    if (isAnswerNew) counts.push(...ofKind('answered'));
    const earlierDeliveries = ofKind('delivered');
    if (earlierDeliveries.length > 0 && (await client.query(setCounted, [same.id])).rowCount === 1)
      counts.push(...earlierDeliveries);
    if (delivered) {
      const [updated] = (await client.query(updateSame, [same.id, deliveredAt])).rows;
      if (updated) await client.query(endMail, [same.id]);
      if (updated && !updated.counted && !row.counted) counts.push(delivered);
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
  const state = [row.canary ?? false, row.language, urgent, rank, deliveredAt, isCounted];
  const submission = [newRow.reference, form, definition, ...columns, ...state];
  const inserted = await client.query(insertSubmission, submission);
  await saveFollowUp(queryOn(client), inserted.rows[0].id, newRow);
  await client.query(insertJobs(postgresDialect), [inserted.rows[0].id, newRow.reference, newRow.jobs]);
  counts.push(...parseCounts(newRow.counts));
  if (newRow.counts !== '' && !newRow.counted && delivered) counts.push(delivered);
  return true;
}
