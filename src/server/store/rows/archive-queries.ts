import type { FormName } from '../../../model/form-field.ts';
import { toleranceMs } from '../../time/clock-trust.ts';
import type { Archive, ExpiryRule } from '../contract/archive.ts';
import { changedKind } from '../contract/changes.ts';
import { latestPlausible } from '../contract/jobs.ts';
import type { StoredSubmission, SubmissionFilter } from '../contract/submission.ts';
import { isBusy } from './conditions.ts';
import { addCounts, rollUp } from './count-queries.ts';
import { countConfirmed, countUnseen } from './counting.ts';
import { type PageEnd, pageSize, selectSubmissions } from './selects.ts';
import type { Query, Sql } from './sql.ts';
import { readDefinition } from './stored-text.ts';
import { toDate, toStoredSubmission } from './submission-row.ts';
import { findTime, insertTimeOnce, setTime } from './time-queries.ts';

const timeOf = (name: string) => `(SELECT at FROM times WHERE name = '${name}')`;
const selectTimes = `
  SELECT (SELECT max(received_at) FROM submissions) AS newest, ${timeOf('erase')} AS erased, ${timeOf('doubt')} AS doubted, ${timeOf('jump')} AS jumped`;
const unseenLimit = (days: number | null) => `unseen limit ${days ?? 'off'}`;
const orNow = (column: string) => `${column} = CASE WHEN ${column} > $2 THEN $1 ELSE ${column} END`;
/** Each step is also in `followed_up_at`. */
const mendTimes = [
  'UPDATE submissions SET received_at = $1 WHERE received_at > $2',
  `UPDATE submissions SET ${['taken_at', 'answered_at', 'read_at', 'no_contact_at', 'withdrawn_at', 'followed_up_at'].map(orNow).join(', ')}
    WHERE followed_up_at > $2`,
];
const removeTime = (name: string) => `DELETE FROM times WHERE name = '${name}'`;

/** Nobody has seen it, and no server is mailing it. */
const isUnseen = `seen_at IS NULL AND NOT ${isBusy('$2', '$3')}`;

/** Of a step that was undone, and of a time by a clock that was behind, this alone tells how old it is. */
const isLeftAlone = '(s.followed_up_at IS NULL OR s.followed_up_at <= $4)';
/** Staff have its mail for a week, and the one that says that it was withdrawn: they could undo that. */
const isMailed = `(s.accepted_at <= $1 OR s.seen_at IS NOT NULL) AND NOT EXISTS (
  SELECT 1 FROM jobs WHERE jobs.submission = s.id AND (key LIKE 'mail:%' OR kind = '${changedKind}'))`;

/** What has expired by $1, found by an index. What came in long ago and is still there is little. */
const expired: Record<ExpiryRule, { is: string; by: string }> = {
  seen: { is: `s.seen_at <= $1 AND ${isLeftAlone}`, by: 's.seen_at' },
  delivered: {
    is: `s.accepted_at <= $1 AND (s.seen_at IS NOT NULL OR ${isLeftAlone})`,
    by: 's.accepted_at',
  },
  unseen: { is: `s.seen_at IS NULL AND s.received_at <= $1 AND ${isLeftAlone}`, by: 's.received_at' },
  withdrawn: {
    is: `s.withdrawn_at <= $1 AND ${isLeftAlone} AND ${isMailed}`,
    by: 's.withdrawn_at',
  },
};

const selectLosses = `
  SELECT period AS day, form, sum(count) AS total, max(most) AS confirmed FROM counts
  WHERE kind IN ('unseen', 'unseen confirmed') GROUP BY period, form ORDER BY period, form`;

/** Finds, counts and erases submissions. */
export function createArchive({ query, inTransaction, toDatabaseTime, dialect }: Sql) {
  const { isOneOf, sortOnly } = dialect;
  const isNotCanary = `s.canary <> ${dialect.yes}`;

  function conditions({ form, since, until, undelivered }: SubmissionFilter) {
    const terms = [isNotCanary];
    const values: unknown[] = [];
    const add = (term: string, value: unknown) => terms.push(`${term} $${values.push(value)}`);
    if (form) add('s.form =', form);
    if (since) add('s.received_at >=', since);
    if (until) add('s.received_at <', until);
    if (undelivered) terms.push('s.accepted_at IS NULL');
    return { where: `WHERE ${terms.join(' AND ')}`, values };
  }

  const find = `${selectSubmissions} WHERE ${isOneOf('s.reference', '$1')}`;
  const findSubmissions = async (references: readonly string[]) =>
    (await query(find, [references])).rows.map(toStoredSubmission);

  const lockJobs = (where: string) => `
    SELECT 1 FROM jobs WHERE submission IN (SELECT id FROM submissions WHERE ${where}) ORDER BY id ${dialect.forUpdate}`;

  /** Their jobs are deleted with them, and what is counted of them is added up. Resolves to their forms. */
  async function erase(ask: Query, where: string, values: unknown[]): Promise<FormName[]> {
    // Its jobs first, as a delivery locks them: then no two wait for each other, and no server claims one meanwhile.
    if (dialect.forUpdate) await ask(lockJobs(where), values);
    const { rows } = await ask(
      `SELECT id, form FROM submissions WHERE ${where} ORDER BY id ${dialect.forUpdate}`,
      values,
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length === 0) return [];
    await rollUp(ask, dialect, ids);
    await ask(`DELETE FROM submissions WHERE ${isOneOf('id', '$1')}`, [ids]);
    return rows.map(({ form }) => form as FormName);
  }

  return {
    async findSubmission(reference) {
      const [found] = await findSubmissions([reference]);
      return found && !found.canary ? found : null;
    },
    findSubmissions,

    /** @param after the last submission of the page before; null for the first page */
    async readPage(filter: SubmissionFilter, after: PageEnd | null): Promise<StoredSubmission[]> {
      const { where, values } = conditions(filter);
      // Undelivered submissions are few: they are found first and then sorted.
      const received = filter.undelivered ? sortOnly('s.received_at') : 's.received_at';
      const end = after ? [after.receivedAt, after.id] : [];
      const [at, id] = [`$${values.length + 1}`, `$${values.length + 2}`];
      const rest = after ? `AND (${received}, s.id) < (${at}, ${id})` : '';
      const order = `ORDER BY ${received} DESC, s.id DESC LIMIT ${pageSize}`;
      const { rows } = await query(`${selectSubmissions} ${where} ${rest} ${order}`, [...values, ...end]);
      return rows.map(toStoredSubmission);
    },

    async countSubmissions(filter) {
      const { where, values } = conditions(filter);
      const sql = `SELECT count(*) AS total, count(s.sealed_answers) AS sealed FROM submissions s ${where}`;
      const [row] = (await query(sql, values)).rows;
      return { total: Number(row?.total), sealed: Number(row?.sealed) };
    },

    async listDefinitions(filter) {
      const { where, values } = conditions(filter);
      const sql = `
        SELECT d.definition FROM (
          SELECT s.definition, max(s.id) AS last FROM submissions s ${where} GROUP BY s.definition
        ) used JOIN definitions d ON d.hash = used.definition ORDER BY used.last DESC`;
      const { rows } = await query(sql, values);
      return rows.map((row) => readDefinition(row.definition) ?? []);
    },

    async listExpired({ rule, until, untouchedSince }, limit, except = []) {
      const { is, by } = expired[rule];
      const sql = `SELECT s.reference FROM submissions s WHERE ${isNotCanary} AND ${is}
        AND NOT (${isOneOf('s.reference', '$3')}) ORDER BY ${by} LIMIT $2`;
      return (await query(sql, [until, limit, except, untouchedSince])).rows.map((row) =>
        String(row.reference),
      );
    },

    async eraseSubmissions(references, rule) {
      // Somebody may have undone it since it was listed.
      const isStill = rule === 'withdrawn' ? ' AND withdrawn_at IS NOT NULL' : '';
      const where = `${isOneOf('reference', '$1')}${isStill}`;
      return (await inTransaction((ask) => erase(ask, where, [references]))).length;
    },

    async eraseUnseen(references, at) {
      const now = await toDatabaseTime(at);
      return inTransaction(async (ask) => {
        const where = `${isOneOf('reference', '$1')} AND ${isUnseen}`;
        const erased = await erase(ask, where, [references, now, latestPlausible(now)]);
        await addCounts(
          ask,
          dialect,
          erased.map((form) => countUnseen(form, at)),
        );
        return erased.length;
      });
    },
    async confirmLosses(losses) {
      await addCounts(query, dialect, losses.map(countConfirmed));
    },

    async eraseOne(reference, at) {
      const now = await toDatabaseTime(at);
      const where = `reference = $1 AND NOT ${isBusy('$2', '$3')}`;
      const erased = await inTransaction((ask) => erase(ask, where, [reference, now, latestPlausible(now)]));
      if (erased.length > 0) return 'erased';
      const found = await query('SELECT 1 FROM submissions WHERE reference = $1', [reference]);
      return found.rows.length > 0 ? 'busy' : 'not here';
    },

    async listLosses() {
      const { rows } = await query(selectLosses);
      return rows
        .map(({ day, form, total, confirmed }) => ({
          ...{ day: String(day), form: form as FormName },
          ...{ total: Number(total), count: Number(total) - Number(confirmed) },
        }))
        .filter(({ count }) => count > 0);
    },

    async reopenUnread(references) {
      const sql = `UPDATE submissions SET answered_at = NULL, followed_up_at = NULL,
          counts = replace(counts, '"kind":"answered"', '"kind":"reopened"')
        WHERE answered_by IS NULL AND answered_at IS NOT NULL
          AND ${isOneOf('reference', '$1')}`;
      await query(sql, [references]);
    },

    async startUnseenLimit(days, at, isAgain) {
      const name = unseenLimit(days);
      await query(`DELETE FROM times WHERE name LIKE 'unseen limit%' AND name <> '${name}'`);
      await query(isAgain ? setTime : insertTimeOnce, [name, at]);
      const since = (await findTime(query, name)) ?? at;
      if (since <= at) return since;
      // The clock was ahead.
      await query(setTime, [name, at]);
      return at;
    },
    findUnseenLimit: (days) => findTime(query, unseenLimit(days)),

    async mendTimes(now) {
      const values = [now, new Date(now.getTime() + toleranceMs)];
      for (const sql of mendTimes) await query(sql, values);
    },

    async findTimes() {
      const { newest, erased, doubted, jumped } = (await query(selectTimes)).rows[0] ?? {};
      return {
        newestReceivedAt: toDate(newest),
        lastErasedAt: toDate(erased),
        clockRightAt: toDate(doubted),
        jumpedFrom: toDate(jumped),
      };
    },

    async recordErasing(at, jumpedFrom = null) {
      await query(setTime, ['erase', at]);
      if (jumpedFrom) await query(setTime, ['jump', jumpedFrom]);
      else await query(removeTime('jump'));
      await query(removeTime('doubt'));
    },

    async recordClockFault(since) {
      await query(setTime, ['doubt', since]);
    },
  } satisfies Partial<Archive> & Record<string, unknown>;
}

/** Reads a page at a time: a long export holds neither memory nor a lock. */
export async function* iteratePages(
  readPage: (after: PageEnd | null) => Promise<StoredSubmission[]>,
): AsyncIterable<StoredSubmission> {
  for (let last: PageEnd | null = null; ; ) {
    const page: StoredSubmission[] = await readPage(last);
    yield* page;
    if (page.length < pageSize) return;
    last = page.at(-1) ?? null;
  }
}
