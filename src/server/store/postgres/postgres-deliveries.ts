import type { QueryResult } from 'pg';
import type { FormName } from '../../../model/form-field.ts';
import { countDelivered, writeCounts } from '../../figures/counting.ts';
import type { ClaimedDelivery, DeliveryQueue } from '../contract/delivery-queue.ts';
import { latestPlausible } from '../contract/leases.ts';
import { headStartMs, inOrder, toEscalation, waitingKinds } from '../rows/delivery-row.ts';
import { selectSubmissions } from '../rows/selects.ts';
import { toDate, toStoredSubmission } from '../rows/submission-row.ts';
import type { DatabaseClock } from './database-clock.ts';

type Query = (text: string, values: unknown[]) => Promise<QueryResult>;

/** In the order of the index deliveries_ranked, and read no further than the limit. */
const first = (urgent: boolean) => `
    SELECT submission, rank, next_attempt_at - interval '${urgent ? headStartMs : 0} ms' AS due FROM deliveries
    WHERE CASE WHEN held THEN 2 WHEN attempts > 0 THEN 1 ELSE 0 END = $2 AND urgent = ${urgent}
      AND delivered_at IS NULL AND parked_at IS NULL
      AND (next_attempt_at <= $1 OR next_attempt_at > $5)
      AND (leased_until IS NULL OR leased_until <= $1 OR leased_until > $5)
    ORDER BY rank, next_attempt_at, submission LIMIT $3 FOR UPDATE SKIP LOCKED`;

/**
 * One statement, so one transaction, without which SKIP LOCKED would protect nothing. MATERIALIZED, because the
 * planner may otherwise run the inner query again and take more than the limit.
 */
const claim = `
  WITH urgent AS MATERIALIZED (${first(true)}), other AS MATERIALIZED (${first(false)}),
  due AS MATERIALIZED (
    SELECT * FROM urgent UNION ALL SELECT * FROM other ORDER BY rank, due, submission LIMIT $3
  )
  UPDATE deliveries v SET attempts = attempts + 1, leased_until = $4
  FROM due WHERE v.submission = due.submission RETURNING v.submission`;

const fence = 'WHERE submission = $1 AND leased_until = $2 AND delivered_at IS NULL';
/** Counts it once, however often staff have it sent again. */
const finish = `
  WITH claimed AS (
    SELECT submission, counted FROM deliveries ${fence} FOR UPDATE
  ), finished AS (
    UPDATE deliveries v SET delivered_at = $3, leased_until = NULL, last_error = NULL, counted = true, rank = 1
    FROM claimed WHERE v.submission = claimed.submission RETURNING claimed.counted
  )
  SELECT CASE WHEN NOT counted THEN add_counts($4) END FROM finished`;
const postpone = `UPDATE deliveries SET next_attempt_at = $3, leased_until = NULL, last_error = $4 ${fence}`;
const park = `UPDATE deliveries SET parked_at = $3, leased_until = NULL, last_error = $4 ${fence}`;

const escalate = `
  UPDATE deliveries v SET escalated_at = $1 FROM submissions s
  WHERE s.id = v.submission AND v.urgent AND v.delivered_at IS NULL AND v.escalated_at IS NULL AND s.received_at <= $2
  RETURNING s.reference, s.received_at, v.last_error`;

const unescalate = `
  UPDATE deliveries v SET escalated_at = NULL FROM submissions s
  WHERE s.id = v.submission AND s.reference = ANY ($1)`;

const summarise = `
  SELECT s.form, count(*) FILTER (WHERE v.parked_at IS NULL) AS waiting,
         min(s.received_at) FILTER (WHERE v.parked_at IS NULL) AS oldest,
         count(*) FILTER (WHERE v.parked_at IS NULL AND v.held) AS held,
         count(v.parked_at) AS parked
  FROM deliveries v JOIN submissions s ON s.id = v.submission WHERE v.delivered_at IS NULL AND NOT s.canary GROUP BY s.form`;

/** Each of its own: one statement for both would look through all there is. */
const retry = (which: string, set: string) => `
  UPDATE deliveries v SET attempts = 0, next_attempt_at = $1, parked_at = NULL, delivered_at = NULL ${set}
  FROM submissions s WHERE s.id = v.submission AND NOT s.canary AND ${which} RETURNING s.reference`;
const retryAll = retry('v.delivered_at IS NULL', '');
const retryOne = retry('s.reference = $2', ', held = false, rank = 1');

const unpark = `
  UPDATE deliveries SET parked_at = NULL, next_attempt_at = $1
  WHERE delivered_at IS NULL AND (parked_at <= $2 OR parked_at > $3)`;

const claimNotice = `
  INSERT INTO notices (id, sent_at) VALUES (1, $1)
  ON CONFLICT (id) DO UPDATE SET sent_at = excluded.sent_at
  WHERE notices.sent_at IS NULL OR notices.sent_at <= $2 OR notices.sent_at > $3`;

/**
 * The delivery half of the PostgreSQL store. Every time in it is the database's own, so that the servers that share the
 * work need not agree on theirs.
 */
export function createPostgresDeliveries(query: Query, clock: DatabaseClock): DeliveryQueue {
  const settle = async (sql: string, { submission, leasedUntil }: ClaimedDelivery, set: unknown[]) =>
    (await query(sql, [submission.id, leasedUntil, ...set])).rowCount === 1;

  return {
    async claimDueDeliveries(at, limit, leaseMs, which) {
      const now = await clock.toDatabase(at);
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const bounds = [limit, leasedUntil, latestPlausible(now)];
      const claimed = await query(claim, [now, waitingKinds[which], ...bounds]);
      if (claimed.rowCount === 0) return [];
      const ids = claimed.rows.map((row) => row.submission);
      const { rows } = await query(`${selectSubmissions} WHERE s.id = ANY ($1)`, [ids]);
      return inOrder(rows).map((row) => ({ submission: toStoredSubmission(row), leasedUntil }));
    },
    async finishDelivery(claimed, at) {
      const { form, receivedAt } = claimed.submission;
      const counts = writeCounts([countDelivered(form, receivedAt, at)]);
      return settle(finish, claimed, [await clock.toDatabase(at), counts]);
    },
    postponeDelivery: async (claimed, until, error) =>
      settle(postpone, claimed, [await clock.toDatabase(until), error]),
    parkDelivery: async (claimed, at, error) => settle(park, claimed, [await clock.toDatabase(at), error]),
    async summariseUndelivered() {
      const { rows } = await query(summarise, []);
      return rows.map((row) => ({
        form: row.form as FormName,
        waiting: Number(row.waiting),
        held: Number(row.held),
        oldestReceivedAt: toDate(row.oldest),
        parked: Number(row.parked),
      }));
    },
    async retryDeliveries(which, now) {
      const at = await clock.toDatabase(now);
      const { rows } = await (which === 'all'
        ? query(retryAll, [at])
        : query(retryOne, [at, which.reference]));
      return rows.map((row) => String(row.reference));
    },
    async unpark(at, afterMs) {
      const now = await clock.toDatabase(at);
      const before = new Date(now.getTime() - afterMs);
      return (await query(unpark, [now, before, latestPlausible(now)])).rowCount ?? 0;
    },
    async claimNotice(at, everyMs) {
      const now = await clock.toDatabase(at);
      const before = new Date(now.getTime() - everyMs);
      return (await query(claimNotice, [now, before, latestPlausible(now)])).rowCount === 1;
    },
    async claimEscalations(at, afterMs) {
      const now = await clock.toDatabase(at);
      const { rows } = await query(escalate, [now, new Date(now.getTime() - afterMs)]);
      return rows.map(toEscalation);
    },
    async releaseEscalations(references) {
      await query(unescalate, [references]);
    },
    async releaseNotice() {
      await query('UPDATE notices SET sent_at = NULL', []);
    },
  };
}
