import { wishes } from '../contract/changes.ts';
import type { TransferTarget } from '../contract/transfer.ts';
import { columnOf } from './change-queries.ts';
import { mendCounts } from './counting.ts';
import { aliasesOf, type KnownSubmission, matchSubmission } from './same-submission.ts';
import { saveFollowUp } from './save-follow-up.ts';
import type { Query, Sql } from './sql.ts';
import { findWish, joinLines, readChanges } from './stored-changes.ts';
import { insertJobs, mergeJobs, onlyChanged } from './submission-jobs.ts';
import type { TransferRow } from './transfer-row.ts';

const insertDefinition =
  'INSERT INTO definitions (hash, form, definition) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';
const insertSubmission = `
  INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at,
    canary, language, urgent, rank, accepted_at, counts)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) RETURNING id`;
/** A submission that the other database has delivered since the first try needs no second mail. */
const accept = 'UPDATE submissions SET accepted_at = $2 WHERE id = $1 AND accepted_at IS NULL';
const findChanges = 'SELECT changes FROM submissions WHERE id = $1';
const setChanges = `
  UPDATE submissions SET changes = $2, ${wishes.map((wish, at) => `${columnOf(wish)}_by = $${3 + 2 * at}, ${columnOf(wish)}_at = $${4 + 2 * at}`).join(', ')}
  WHERE id = $1 AND changes <> $2`;
const endMail = `DELETE FROM jobs WHERE submission = $1 AND key LIKE 'mail:%'`;

/** Inserts the submissions that are not here yet, all in one transaction, and resolves to how many. */
export const createImport =
  ({ inTransaction, dialect }: Sql): TransferTarget<TransferRow>['importRows'] =>
  (rows) =>
    inTransaction(async (query) => {
      let count = 0;
      for (const row of rows) if (await importRow(query, dialect, row)) count++;
      return count;
    });

/** Resolves to whether the submission is new here. One that is here gets what became of it in the other database. */
async function importRow(query: Query, dialect: Sql['dialect'], row: TransferRow): Promise<boolean> {
  const { tokenHashes, references } = aliasesOf(row);
  const { isOneOf } = dialect;
  const find = `SELECT id, reference, token_hash FROM submissions
    WHERE ${isOneOf('token_hash', '$1')} OR ${isOneOf('reference', '$2')}`;
  const { rows: known } = await query(find, [tokenHashes, references]);
  const whole = { ...row, counts: mendCounts(row) };
  const { same, newRow } = matchSubmission(whole, known as unknown as KnownSubmission[]);
  const id = same?.id ?? (await insert(query, newRow));
  if (same) {
    for (const sql of mergeJobs(dialect)) await query(sql, [id, same.reference, row.jobs]);
    const isNews = row.deliveredAt && (await query(accept, [id, row.deliveredAt])).rowCount === 1;
    if (isNews) await query(endMail, [id]);
    await query(insertJobs(dialect), [id, same.reference, onlyChanged(row.jobs)]);
  } else await query(insertJobs(dialect), [id, newRow.reference, newRow.jobs]);
  const here = same && (await query(`${findChanges} ${dialect.forUpdate}`, [id])).rows[0];
  await saveFollowUp(query, id, newRow);
  if (here) await joinChanges(query, id, joinLines(here.changes, row.changes));
  return !same;
}

/** Of two states the later one may lack what was said in the other: nobody may call who was asked not to. */
async function joinChanges(query: Query, id: number | string, lines: string): Promise<void> {
  const all = readChanges(lines);
  const found = wishes.map((wish) => findWish(all, wish));
  await query(setChanges, [id, lines, ...found.flatMap((wish) => [wish?.by ?? null, wish?.at ?? null])]);
}

async function insert(query: Query, row: TransferRow): Promise<number | string> {
  const { form, definition, rank = 1, canary = false, language = null } = row;
  await query(insertDefinition, [definition, form, row.definitionText]);
  const answers = [row.answers, row.sealedAnswers, row.verdict, row.tokenHash, row.answersHash];
  const state = [canary, language, row.urgent, rank, row.deliveredAt, row.counts];
  const values = [row.reference, form, definition, ...answers, row.receivedAt, ...state];
  const [inserted] = (await query(insertSubmission, values)).rows;
  return inserted?.id as number | string;
}
