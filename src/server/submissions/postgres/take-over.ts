import type { Pool, PoolClient } from 'pg';
import type { KeptRow } from '../kept-row.ts';
import { StoreUnavailable } from '../submission-store.ts';

/** Takes submissions over from another database, each once, however often it is asked. Tells which are here now. */
export type TakeOver = (rows: readonly KeptRow[]) => Promise<string[]>;

const keepDefinition =
  'INSERT INTO definitions (hash, form, definition) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';

const keepSubmission = `
  INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING id`;

const keepDelivery = `
  INSERT INTO deliveries (submission, attempts, next_attempt_at, delivered_at, parked_at, last_error)
  VALUES ($1, $2, least($3, now()), $4, $5, $6)`;

/** What was delivered from the other database since the first try needs no second mail. */
const noteDelivered = `
  UPDATE deliveries SET delivered_at = $2 WHERE submission = $1 AND delivered_at IS NULL AND $2::timestamptz IS NOT NULL`;

export function createTakeOver(pool: Pool): TakeOver {
  return async (rows) => {
    const client = await pool.connect().catch((cause) => {
      throw new StoreUnavailable('PostgreSQL could not be reached', { cause });
    });
    try {
      await client.query('BEGIN');
      const taken: string[] = [];
      for (const row of rows) if (await keep(client, row)) taken.push(row.reference);
      await client.query('COMMIT');
      client.release();
      return taken;
    } catch (cause) {
      // Not given back: whatever state the transaction is in ends with the connection.
      client.release(true);
      throw new StoreUnavailable('PostgreSQL could not take submissions over', { cause });
    }
  };
}

async function keep(client: PoolClient, row: KeptRow): Promise<boolean> {
  await client.query(keepDefinition, [row.definition, row.form, row.definitionText]);
  const known = async () =>
    (await client.query('SELECT id, token_hash FROM submissions WHERE reference = $1', [row.reference]))
      .rows[0];
  // The same form sent twice, the second time while this database was away: the visitor may hold either reference, so
  // both are kept. Its own token is spent already; this one cannot be one that a browser has.
  const tokens = [row.tokenHash, `${row.tokenHash} ${row.reference}`];
  for (const token of tokens) {
    const { reference, form, definition, answers, sealedAnswers, verdict, answersHash, receivedAt } = row;
    const columns = [answers, sealedAnswers, verdict, token, answersHash, receivedAt];
    const { rows } = await client.query(keepSubmission, [reference, form, definition, ...columns]);
    if (rows[0]) {
      const { attempts, nextAttemptAt, deliveredAt, parkedAt, lastError } = row;
      const state = [attempts, nextAttemptAt, deliveredAt, parkedAt, lastError];
      await client.query(keepDelivery, [rows[0].id, ...state]);
      return true;
    }
    const same = await known();
    if (same && tokens.includes(same.token_hash)) {
      await client.query(noteDelivered, [same.id, row.deliveredAt]);
      return true;
    }
    // Somebody else's reference: this one stays where it is, and is sent from there.
    if (same) return false;
  }
  return false;
}
