import { type JobClaim, type Jobs, latestPlausible, longestLeaseMs } from '../contract/jobs.ts';
import type { Row, Sql } from './sql.ts';
import { toTime } from './submission-row.ts';

const add = 'INSERT INTO jobs (kind, key, due_at) VALUES ($1, $2, $3) ON CONFLICT (key) DO NOTHING';

/** At $n, or by a clock that was wrong. */
const isFree = (now: string, plausible: string) =>
  `(jobs.leased_until IS NULL OR jobs.leased_until <= ${now} OR jobs.leased_until > ${plausible})`;

/** The first condition: what is there already takes no lock. */
const schedule = `
  INSERT INTO jobs (kind, key, due_at)
  SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE key = $2 AND due_at <= $3)
  ON CONFLICT (key) DO UPDATE SET due_at = excluded.due_at
  WHERE jobs.due_at > excluded.due_at AND ${isFree('$4', '$5')}`;

const isLeased = 'WHERE key = $1 AND leased_until = $2';
const complete = `DELETE FROM jobs ${isLeased}`;
const postpone = `
  UPDATE jobs SET due_at = $3, leased_until = NULL, last_error = $4, attempts = $5 ${isLeased}`;

const toClaim = (row: Row, leasedUntil: Date): JobClaim => ({
  kind: String(row.kind),
  key: String(row.key),
  dueAt: toTime(row.due_at),
  attempts: Number(row.attempts),
  lastError: row.last_error as string | null,
  leasedUntil,
});

/** Jobs. Every time is by the database's clock, so that servers that share the work need not agree on theirs. */
export function createJobs({ query, toDatabaseTime, dialect }: Sql): Jobs {
  const claim = (isChosen: string) => `
    WITH due AS MATERIALIZED (
      SELECT id FROM jobs
      WHERE ${dialect.isOneOf('kind', '$1')} ${isChosen} AND (due_at <= $2 OR due_at > $6) AND ${isFree('$2', '$3')}
      ORDER BY due_at, id LIMIT $4 ${dialect.skipLocked}
    )
    UPDATE jobs SET attempts = attempts + 1, leased_until = $5 WHERE id IN (SELECT id FROM due)
    RETURNING id, kind, key, due_at, attempts, last_error`;
  const hasChanged = async (text: string, values: unknown[]) => (await query(text, values)).rowCount === 1;

  return {
    async addJob({ kind, key, dueAt }) {
      await query(add, [kind, key, await toDatabaseTime(dueAt)]);
    },
    async scheduleJob({ kind, key, dueAt }, at) {
      const [now, due] = [await toDatabaseTime(at), await toDatabaseTime(dueAt)];
      await query(schedule, [kind, key, due, now, latestPlausible(now)]);
    },
    async claimJobs({ kinds, keys, limit, leaseMs, longestMs }, at) {
      if (leaseMs > longestLeaseMs) throw new RangeError('A lease is too long');
      const now = await toDatabaseTime(at);
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const plausible = latestPlausible(now);
      const far = new Date(plausible.getTime() + longestMs);
      const values = [kinds, now, plausible, limit, leasedUntil, far];
      const { rows } = keys
        ? await query(claim(`AND ${dialect.isOneOf('key', '$7')}`), [...values, keys])
        : await query(claim(''), values);
      const dueAt = ({ due_at }: Row) => toTime(due_at).getTime();
      return rows
        .toSorted((one, other) => dueAt(one) - dueAt(other) || Number(one.id) - Number(other.id))
        .map((row) => toClaim(row, leasedUntil));
    },
    completeJob: ({ key, leasedUntil }) => hasChanged(complete, [key, leasedUntil]),
    postponeJob: async ({ key, leasedUntil, ...claimed }, { dueAt, error = null, attempts }) => {
      const values = [await toDatabaseTime(dueAt), error, attempts ?? claimed.attempts];
      return hasChanged(postpone, [key, leasedUntil, ...values]);
    },
    async findJob(key) {
      const [row] = (await query('SELECT due_at, last_error FROM jobs WHERE key = $1', [key])).rows;
      return row ? { dueAt: toTime(row.due_at), lastError: row.last_error as string | null } : null;
    },
  };
}
