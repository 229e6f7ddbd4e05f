import type { DatabaseSync } from 'node:sqlite';
import type { FormName } from '../../../model/form-field.ts';
import { countDelivered } from '../../figures/counting.ts';
import type { ClaimedDelivery, DeliveryQueue } from '../contract/delivery-queue.ts';
import { latestPlausible } from '../contract/leases.ts';
import { headStartMs, inOrder, toEscalation, waitingKinds } from '../rows/delivery-row.ts';
import { selectSubmissions } from '../rows/selects.ts';
import { toDate, toStoredSubmission } from '../rows/submission-row.ts';
import { inTransaction } from './database-file.ts';
import { prepareCounting } from './sqlite-counts.ts';
import type { Synchronous } from './thread-calls.ts';

/** As in the index: a part of it that is written otherwise is not found by it. */
const waitingKind = 'CASE WHEN held = 1 THEN 2 WHEN attempts > 0 THEN 1 ELSE 0 END';

/** The delivery half of the SQLite store. */
export function createSqliteDeliveries(db: DatabaseSync): Synchronous<DeliveryQueue> {
  // The urgent ones apart, so that both are read in the order of the index, and no further than the limit.
  const first = (urgent: 0 | 1) => `
    SELECT * FROM (
      SELECT submission, rank, next_attempt_at FROM deliveries INDEXED BY deliveries_ranked
      WHERE ${waitingKind} = :kind AND urgent = ${urgent} AND delivered_at IS NULL AND parked_at IS NULL
        AND (next_attempt_at <= :now OR next_attempt_at > :far)
        AND (leased_until IS NULL OR leased_until <= :now OR leased_until > :far)
      ORDER BY rank, next_attempt_at, submission LIMIT :limit
    )`;
  const claim = db.prepare(`
    UPDATE deliveries SET attempts = attempts + 1, leased_until = :until
    WHERE submission IN (
      SELECT submission FROM (
        SELECT submission, rank, unixepoch(next_attempt_at, 'subsec') - ${headStartMs / 1000} AS due FROM (${first(1)})
        UNION ALL SELECT submission, rank, unixepoch(next_attempt_at, 'subsec') FROM (${first(0)})
        ORDER BY rank, due, submission LIMIT :limit
      )
    ) RETURNING submission`);
  const find = db.prepare(`${selectSubmissions} WHERE s.id = ?`);
  // By its reference: where the data folder was replaced in between, it has another id now.
  const fence = `WHERE submission = (SELECT id FROM submissions WHERE reference = ?)
    AND leased_until = ? AND delivered_at IS NULL`;
  const finish = db.prepare(
    `UPDATE deliveries SET delivered_at = ?, leased_until = NULL, last_error = NULL, rank = 1 ${fence}`,
  );
  const { addCounts, setCounted, noteDelivered } = prepareCounting(db);
  const findUncounted = db.prepare(`
    SELECT s.id FROM submissions s JOIN deliveries v ON v.submission = s.id
    WHERE s.reference = ? AND s.to_count IS NULL AND v.counted = 0`);
  const postpone = db.prepare(
    `UPDATE deliveries SET next_attempt_at = ?, leased_until = NULL, last_error = ? ${fence}`,
  );
  const park = db.prepare(
    `UPDATE deliveries SET parked_at = ?, leased_until = NULL, last_error = ? ${fence}`,
  );
  const escalate = db.prepare(`
    UPDATE deliveries SET escalated_at = :now
    WHERE urgent = 1 AND delivered_at IS NULL AND escalated_at IS NULL
      AND (SELECT received_at FROM submissions WHERE id = submission) <= :before
    RETURNING submission`);
  const unescalate = db.prepare(`
    UPDATE deliveries SET escalated_at = NULL WHERE submission = (SELECT id FROM submissions WHERE reference = ?)`);
  const summarise = db.prepare(`
    SELECT s.form, count(*) FILTER (WHERE v.parked_at IS NULL) AS waiting,
           min(s.received_at) FILTER (WHERE v.parked_at IS NULL) AS oldest,
           count(*) FILTER (WHERE v.parked_at IS NULL AND v.held = 1) AS held,
           count(v.parked_at) AS parked
    FROM deliveries v CROSS JOIN submissions s ON s.id = v.submission WHERE v.delivered_at IS NULL AND s.canary = 0 GROUP BY s.form`);
  // Each of its own: one statement for both would look through all there is.
  const retry = (which: string, set: string) =>
    db.prepare(`
      UPDATE deliveries SET attempts = 0, next_attempt_at = :now, parked_at = NULL, delivered_at = NULL ${set}
      WHERE ${which} AND submission NOT IN (SELECT id FROM submissions WHERE canary = 1)
      RETURNING (SELECT reference FROM submissions WHERE id = submission) AS reference`);
  const retryAll = retry('delivered_at IS NULL', '');
  const retryOne = retry(
    'submission = (SELECT id FROM submissions WHERE reference = :reference)',
    ', held = 0, rank = 1',
  );
  const unpark = db.prepare(`
    UPDATE deliveries SET parked_at = NULL, next_attempt_at = :now
    WHERE delivered_at IS NULL AND (parked_at <= :before OR parked_at > :far)`);
  const claimNotice = db.prepare(`
    INSERT INTO notices (id, sent_at) VALUES (1, :now)
    ON CONFLICT DO UPDATE SET sent_at = excluded.sent_at 
    WHERE sent_at IS NULL OR sent_at <= :before OR sent_at > :far`);
  const releaseNotice = db.prepare('UPDATE notices SET sent_at = NULL');

  const settle = (statement: typeof finish, { submission, leasedUntil }: ClaimedDelivery, set: string[]) =>
    Number(statement.run(...set, submission.reference, leasedUntil.toISOString()).changes) === 1;

  return {
    claimDueDeliveries(now, limit, leaseMs, which) {
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const rows = claim.all({
        until: leasedUntil.toISOString(),
        now: now.toISOString(),
        far: latestPlausible(now).toISOString(),
        kind: waitingKinds[which],
        limit,
      });
      const claimed = inOrder(rows.map((row) => find.get(Number(row.submission)) ?? {}));
      return claimed.map((row) => ({ submission: toStoredSubmission(row), leasedUntil }));
    },
    finishDelivery: (claimed, at) =>
      inTransaction(db, () => {
        if (!settle(finish, claimed, [at.toISOString()])) return false;
        const { reference, form, receivedAt } = claimed.submission;
        // Once, however often staff have it sent again.
        const uncounted = findUncounted.get(reference);
        if (uncounted) {
          addCounts([countDelivered(form, receivedAt, at)]);
          setCounted(Number(uncounted.id));
        }
        return true;
      }),
    postponeDelivery: (claimed, until, error) => settle(postpone, claimed, [until.toISOString(), error]),
    parkDelivery: (claimed, at, error) => settle(park, claimed, [at.toISOString(), error]),
    summariseUndelivered: () =>
      summarise.all().map((row) => ({
        form: row.form as FormName,
        waiting: Number(row.waiting),
        held: Number(row.held),
        oldestReceivedAt: toDate(row.oldest),
        parked: Number(row.parked),
      })),
    retryDeliveries: (which, now) =>
      inTransaction(db, () => {
        const at = now.toISOString();
        if (which !== 'all') noteDelivered(which.reference);
        const rows = which === 'all' ? retryAll.all({ now: at }) : retryOne.all({ now: at, ...which });
        return rows.map((row) => String(row.reference));
      }),
    unpark(now, afterMs) {
      const before = new Date(now.getTime() - afterMs).toISOString();
      const far = latestPlausible(now).toISOString();
      return Number(unpark.run({ now: now.toISOString(), before, far }).changes);
    },
    claimNotice(now, everyMs) {
      const before = new Date(now.getTime() - everyMs).toISOString();
      const far = latestPlausible(now).toISOString();
      return Number(claimNotice.run({ now: now.toISOString(), before, far }).changes) === 1;
    },
    claimEscalations(now, afterMs) {
      const before = new Date(now.getTime() - afterMs).toISOString();
      const rows = escalate.all({ now: now.toISOString(), before });
      return rows.map(({ submission }) => toEscalation(find.get(Number(submission)) ?? {}));
    },
    releaseEscalations(references) {
      for (const reference of references) unescalate.run(reference);
    },
    releaseNotice: () => void releaseNotice.run(),
  };
}
