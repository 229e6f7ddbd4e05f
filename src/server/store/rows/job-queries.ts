import { type DueJobs, type JobClaim, type Jobs, latestPlausible, longestLeaseMs } from '../contract/jobs.ts';
import { doubtfulRank } from '../contract/submission-jobs.ts';
import type { Row, Sql } from './sql.ts';
import { toTime } from './submission-row.ts';

const columns = '(kind, key, due_at, rank, submission)';
const add = `
  INSERT INTO jobs ${columns} VALUES ($1, $2, $3, $4, (SELECT id FROM submissions WHERE reference = $5))
  ON CONFLICT (key) DO NOTHING`;
const replace = `
  INSERT INTO jobs ${columns} SELECT $1, $2, $3, $4, id FROM submissions WHERE reference = $5
  ON CONFLICT (key) DO UPDATE SET kind = excluded.kind, due_at = excluded.due_at, rank = excluded.rank,
    attempts = 0, leased_until = NULL, last_error = NULL, done = 0`;

/** At $n, or by a clock that was wrong. */
const isFree = (now: string, plausible: string) =>
  `(jobs.leased_until IS NULL OR jobs.leased_until <= ${now} OR jobs.leased_until > ${plausible})`;

/** The first condition: what is there already takes no lock. */
const schedule = `
  INSERT INTO jobs (kind, key, due_at)
  SELECT $1, $2, $3 WHERE NOT EXISTS (SELECT 1 FROM jobs WHERE key = $2 AND due_at <= $3)
  ON CONFLICT (key) DO UPDATE SET due_at = excluded.due_at
  WHERE jobs.due_at > excluded.due_at AND ${isFree('$4', '$5')}`;

/** As text: only by one kind that it knows does PostgreSQL's planner follow the index. */
const isOfKind = (kinds: readonly string[]) =>
  kinds.length === 1 ? `kind = '${kinds[0]}'` : `kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;

const isLeased = 'WHERE key = $1 AND leased_until = $2';
const complete = `DELETE FROM jobs ${isLeased}`;
const postpone = `
  UPDATE jobs SET due_at = $3, leased_until = NULL, last_error = $4, attempts = $5, rank = $6, kind = $7, done = $8 ${isLeased}`;
const release = `UPDATE jobs SET leased_until = NULL, attempts = attempts - 1 ${isLeased}`;

/** Of the submission of a job. */
const isSubmission = {
  untaken: 'taken_at IS NULL AND answered_at IS NULL AND withdrawn_at IS NULL',
  unreached: 'accepted_at IS NULL AND seen_at IS NULL AND withdrawn_at IS NULL',
};

const toClaim = (row: Row, leasedUntil: Date): JobClaim => ({
  kind: String(row.kind),
  key: String(row.key),
  dueAt: toTime(row.due_at),
  rank: Number(row.rank),
  reference: row.reference as string | null,
  attempts: Number(row.attempts),
  done: Number(row.done),
  lastError: row.last_error as string | null,
  leasedUntil,
});

const compareClaims = (one: Row, other: Row): number =>
  Number(one.rank) - Number(other.rank) ||
  toTime(one.due_at).getTime() - toTime(other.due_at).getTime() ||
  Number(one.id) - Number(other.id);

/** Jobs. Every time is by the database's clock, so that servers that share the work need not agree on theirs. */
export function createJobs({ query, toDatabaseTime, dialect }: Sql): Jobs {
  const isDue = ({ kinds, only }: DueJobs) => {
    const ready = `${isOfKind(kinds)} AND ${isFree('$1', '$2')}`;
    const due = 'jobs.due_at <= $1 OR jobs.due_at > $3';
    if (!only) return `${ready} AND (${due})`;
    // What came in by a clock that was ahead would wait for as long as it was ahead.
    return `${ready} AND EXISTS (
      SELECT 1 FROM submissions s WHERE s.id = jobs.submission AND ${isSubmission[only]}
        AND (${due} OR jobs.done = 0 AND s.received_at > $2))`;
  };
  const claim = (which: string, order: string) => `
    WITH due AS MATERIALIZED (
      SELECT id FROM jobs WHERE ${which} ORDER BY ${order} LIMIT $4 ${dialect.skipLocked}
    )
    UPDATE jobs SET attempts = attempts + 1, leased_until = $5 WHERE id IN (SELECT id FROM due)
    RETURNING id, kind, key, due_at, rank, attempts, last_error, done,
      (SELECT reference FROM submissions WHERE submissions.id = jobs.submission) AS reference`;
  const hasChanged = async (text: string, values: unknown[]) => (await query(text, values)).rowCount === 1;

  /** $1 to $3 of {@link isDue}. */
  async function whenDue({ longestMs }: { longestMs: number }, at: Date) {
    const now = await toDatabaseTime(at);
    const plausible = latestPlausible(now);
    return { now, values: [now, plausible, new Date(plausible.getTime() + longestMs)] };
  }

  return {
    async addJob({ kind, key, dueAt, rank = 0, reference = null }) {
      await query(add, [kind, key, await toDatabaseTime(dueAt), rank, reference]);
    },
    replaceJob: async ({ kind, key, dueAt, rank = 0, reference }) =>
      hasChanged(replace, [kind, key, await toDatabaseTime(dueAt), rank, reference]),
    async scheduleJob({ kind, key, dueAt }, at) {
      const [now, due] = [await toDatabaseTime(at), await toDatabaseTime(dueAt)];
      await query(schedule, [kind, key, due, now, latestPlausible(now)]);
    },
    async countJobs(which, at) {
      const { values } = await whenDue(which, at);
      const [row] = (await query(`SELECT count(*) AS due FROM jobs WHERE ${isDue(which)}`, values)).rows;
      return Number(row?.due);
    },
    async claimJobs({ keys, limit, leaseMs, oldestFirst = false, ...which }, at) {
      if (leaseMs > longestLeaseMs) throw new RangeError('A lease is too long');
      const { now, values } = await whenDue(which, at);
      const leasedUntil = new Date(now.getTime() + leaseMs);
      const all = [...values, limit, leasedUntil];
      const due = isDue(which);
      const order = oldestFirst ? `rank >= ${doubtfulRank}, due_at, id` : 'rank, due_at, id';
      const { rows } = keys
        ? await query(claim(`${due} AND ${dialect.isOneOf('key', '$6')}`, order), [...all, keys])
        : await query(claim(due, order), all);
      return rows.toSorted(compareClaims).map((row) => toClaim(row, leasedUntil));
    },
    completeJob: ({ key, leasedUntil }) => hasChanged(complete, [key, leasedUntil]),
    postponeJob: async (
      { key, leasedUntil, ...claimed },
      { dueAt, error = null, attempts, rank, kind, isDone },
    ) => {
      const values = [
        ...[await toDatabaseTime(dueAt), error, attempts ?? claimed.attempts],
        ...[rank ?? claimed.rank, kind ?? claimed.kind, claimed.done + Number(isDone ?? false)],
      ];
      return hasChanged(postpone, [key, leasedUntil, ...values]);
    },
    releaseJob: ({ key, leasedUntil }) => hasChanged(release, [key, leasedUntil]),
    async deferJobs({ fromRank, ...which }, dueAt, at) {
      const { values } = await whenDue(which, at);
      const defer = `UPDATE jobs SET due_at = $4 WHERE ${isDue(which)} AND rank >= $5`;
      await query(defer, [...values, await toDatabaseTime(dueAt), fromRank]);
    },
    async findFailing(kinds) {
      const failing = `FROM jobs WHERE ${isOfKind(kinds)} AND last_error IS NOT NULL`;
      const last = `SELECT last_error ${failing} ORDER BY due_at DESC LIMIT 1`;
      const [row] = (await query(`SELECT count(*) AS failing, (${last}) AS error ${failing}`)).rows;
      return { failing: Number(row?.failing), lastError: (row?.error ?? null) as string | null };
    },
    async findJob(key) {
      const [row] = (await query('SELECT due_at, last_error FROM jobs WHERE key = $1', [key])).rows;
      return row ? { dueAt: toTime(row.due_at), lastError: row.last_error as string | null } : null;
    },
  };
}
