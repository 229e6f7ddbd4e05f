import type { FormName } from '../../../model/form-field.ts';
import type { ClaimedDelivery, DeliveryQueue, DueKind } from '../contract/delivery-queue.ts';
import { latestPlausible } from '../contract/jobs.ts';
import { readByIds } from './selects.ts';
import type { Row, Sql } from './sql.ts';
import { toDate, toStoredSubmission } from './submission-row.ts';

/**
 * Among requests of the same rank an urgent one is mailed as if it had been received this much earlier: before one that
 * waited up to an hour longer, and no more than that. A program that marks everything as urgent could otherwise hold up
 * every other person's mail.
 */
export const headStartMs = 60 * 60_000;

/** The numbers in the index deliveries_ranked, in both databases. */
const kindNumbers: Record<DueKind, number> = { new: 0, retry: 1, held: 2 };

/** In the order in which the mail goes out: the first of every sender, then the second, each by time. */
function sortByPriority(rows: readonly Row[]): Row[] {
  const due = ({ urgent, next_attempt_at }: Row) =>
    new Date(next_attempt_at as string).getTime() - (urgent ? headStartMs : 0);
  const compare = (one: Row, other: Row) =>
    Number(one.rank) - Number(other.rank) || due(one) - due(other) || Number(one.id) - Number(other.id);
  return rows.toSorted(compare);
}

/** Matches only while this claim still has its lease. */
export const fence = 'WHERE submission = $1 AND leased_until = $2 AND delivered_at IS NULL';
const postpone = `UPDATE deliveries SET next_attempt_at = $3, leased_until = NULL, last_error = $4 ${fence}`;
const park = `UPDATE deliveries SET parked_at = $3, leased_until = NULL, last_error = $4 ${fence}`;

const ofSubmission = (column: string) =>
  `(SELECT ${column} FROM submissions WHERE id = submission) AS ${column}`;

/** One statement for each case: a condition that covers both would read the whole table. */
const retry = (which: string, set: string) => `
  UPDATE deliveries SET attempts = 0, next_attempt_at = $1, parked_at = NULL, delivered_at = NULL ${set}
  WHERE ${which} RETURNING ${ofSubmission('reference')}`;

const unpark = `
  UPDATE deliveries SET parked_at = NULL, next_attempt_at = $1
  WHERE delivered_at IS NULL AND answered_at IS NULL AND (parked_at <= $2 OR parked_at > $3)`;

/**
 * The delivery queue, except finishing a delivery. Every time in it is the database's own, so that the servers that
 * share the work need not agree on theirs.
 *
 * @param claim SQL that leases at most $3 deliveries of kind $2 that are due at $1, until $4; a stored time after $5
 *   counts as passed
 */
export function createDeliveries(sql: Sql, claim: string): Omit<DeliveryQueue, 'finishDelivery'> {
  const { query, toDatabaseTime } = sql;
  const { yes, no, joinInOrder } = sql.dialect;
  const isNotCanary = `submission NOT IN (SELECT id FROM submissions WHERE canary = ${yes})`;
  // An answered request needs no mail any more.
  const retryAll = retry(`delivered_at IS NULL AND answered_at IS NULL AND ${isNotCanary}`, '');
  const retryOne = retry(
    `submission = (SELECT id FROM submissions WHERE reference = $2 AND canary <> ${yes})`,
    `, held = ${no}, rank = 1`,
  );
  // Not `seen_at IS NULL`: that index has all that nobody has seen, the index of what is undelivered far less.
  const summarise = `
    SELECT s.form, count(*) FILTER (WHERE v.parked_at IS NULL) AS waiting,
           min(s.received_at) FILTER (WHERE v.parked_at IS NULL) AS oldest,
           count(*) FILTER (WHERE v.parked_at IS NULL AND v.held = ${yes}) AS held,
           count(v.parked_at) AS parked
    FROM deliveries v ${joinInOrder} submissions s ON s.id = v.submission
    WHERE v.delivered_at IS NULL AND coalesce(v.taken_at, v.answered_at, v.read_at) IS NULL AND s.canary <> ${yes} GROUP BY s.form`;
  const settle = async (text: string, { submission, leasedUntil }: ClaimedDelivery, set: unknown[]) =>
    (await query(text, [submission.id, leasedUntil, ...set])).rowCount === 1;

  return {
    async claimDueDeliveries(at, limit, leaseMs, kind) {
      const now = await toDatabaseTime(at);
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const values = [now, kindNumbers[kind], limit, leasedUntil, latestPlausible(now)];
      const claimed = (await query(claim, values)).rows.map((row) => row.submission);
      const rows = sortByPriority(await readByIds(sql, claimed));
      return rows.map((row) => ({ submission: toStoredSubmission(row), leasedUntil }));
    },
    postponeDelivery: async (claimed, until, error) =>
      settle(postpone, claimed, [await toDatabaseTime(until), error]),
    parkDelivery: async (claimed, at, error) => settle(park, claimed, [await toDatabaseTime(at), error]),
    async summariseUndelivered() {
      const { rows } = await query(summarise);
      return rows.map((row) => ({
        form: row.form as FormName,
        waiting: Number(row.waiting),
        held: Number(row.held),
        oldestReceivedAt: toDate(row.oldest),
        parked: Number(row.parked),
      }));
    },
    async retryDeliveries(which, now) {
      const at = await toDatabaseTime(now);
      const { rows } = await (which === 'all'
        ? query(retryAll, [at])
        : query(retryOne, [at, which.reference]));
      return rows.map((row) => String(row.reference));
    },
    async unpark(at, afterMs) {
      const now = await toDatabaseTime(at);
      const values = [now, new Date(now.getTime() - afterMs), latestPlausible(now)];
      return (await query(unpark, values)).rowCount ?? 0;
    },
  };
}
