import type { Pool, PoolClient } from 'pg';
import type { Archive } from '../archive.ts';
import type { KeptRow } from '../kept-row.ts';
import { StoreUnavailable } from '../submission-store.ts';
import { aliasesOf, findPlace } from '../taken-place.ts';

const keepDefinition =
  'INSERT INTO definitions (hash, form, definition) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';

const keepSubmission = `
  INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`;

const keepDelivery = `
  INSERT INTO deliveries (submission, attempts, next_attempt_at, held, urgent, escalated_at, delivered_at, parked_at, last_error)
  VALUES ($1, $2, least($3::timestamptz, now()), $4, $5, $6, $7, $8, $9)`;

/** What was delivered from the other database since the first try needs no second mail. */
const noteDelivered = `
  UPDATE deliveries SET delivered_at = $2 WHERE submission = $1 AND delivered_at IS NULL AND $2::timestamptz IS NOT NULL`;

/** All or none. */
export function createTakeOver(pool: Pool): Archive['takeOver'] {
  return async (rows) => {
    const client = await pool.connect().catch((cause) => {
      throw new StoreUnavailable('PostgreSQL could not be reached', { cause });
    });
    try {
      await client.query('BEGIN');
      let count = 0;
      for (const row of rows) if (await keep(client, row)) count++;
      await client.query('COMMIT');
      client.release();
      return count;
    } catch (cause) {
      // Not given back: whatever state the transaction is in ends with the connection.
      client.release(true);
      throw new StoreUnavailable('PostgreSQL could not take submissions over', { cause });
    }
  };
}

/** Whether it was not here. */
async function keep(client: PoolClient, row: KeptRow): Promise<boolean> {
  const { form, definition } = row;
  const { tokens, names } = aliasesOf(row);
  const known = await client.query(
    'SELECT id, reference, token_hash FROM submissions WHERE token_hash = ANY ($1) OR reference = ANY ($2)',
    [tokens, names],
  );
  const { same, tokenHash, reference } = findPlace(row, known.rows);
  if (same) {
    await client.query(noteDelivered, [same.id, row.deliveredAt]);
    return false;
  }

  await client.query(keepDefinition, [definition, form, row.definitionText]);
  const columns = [row.answers, row.sealedAnswers, row.verdict, tokenHash, row.answersHash, row.receivedAt];
  const kept = await client.query(keepSubmission, [reference, form, definition, ...columns]);
  const { attempts, nextAttemptAt, held, urgent, escalatedAt, deliveredAt, parkedAt, lastError } = row;
  const state = [attempts, nextAttemptAt, held, urgent, escalatedAt, deliveredAt, parkedAt, lastError];
  await client.query(keepDelivery, [kept.rows[0].id, ...state]);
  return true;
}
