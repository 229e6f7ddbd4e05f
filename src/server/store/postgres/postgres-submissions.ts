import type { Pool, QueryResult } from 'pg';
import { sumWritten } from '../../figures/counting.ts';
import { StoreUnavailable } from '../contract/errors.ts';
import { createReference } from '../contract/reference.ts';
import type { SubmissionStore } from '../contract/store.ts';
import type { Added, FormVersion, Spent } from '../contract/submission.ts';
import { definitionsOf, type SubmissionRow, toRow } from '../rows/submission-row.ts';
import { addCounts } from './import-rows.ts';
import { commit, isRolledBack, LostCommit } from './lost-commit.ts';

type Query = (text: string, values: unknown[]) => Promise<QueryResult>;

/** Answers are long: what is more waits for the next group. */
const groupSize = 100;

/**
 * For all steps of a group together: a database that answers each of them, but late, is away for a visitor. Whoever waits
 * behind a group waits for two.
 */
const groupMs = 6_000;

/** A second try, after the answer to the first was lost. All of it together ends before a browser gives up. */
const againMs = 2_000;

/** The columns of a row that are kept, by their names here. What it counts is kept apart. */
const given = {
  reference: 'text',
  form: 'text',
  definition: 'text',
  answers: 'text',
  sealedAnswers: 'text',
  verdict: 'text',
  tokenHash: 'text',
  answersHash: 'text',
  receivedAt: 'timestamptz',
  nextAttemptAt: 'timestamptz',
  held: 'boolean',
  urgent: 'boolean',
  rank: 'integer',
  counted: 'boolean',
  canary: 'boolean',
} satisfies { [Name in keyof SubmissionRow]?: string };
const record = Object.entries(given).map(([name, type]) => `"${name}" ${type}`);

/** In one order, so that servers that got the same forms twice wait for each other, and never crosswise. */
const keepRows = `
  WITH given AS MATERIALIZED (
    SELECT * FROM json_to_recordset($1::json) AS g(${record.join(', ')})
  ), kept_definitions AS (
    INSERT INTO definitions (hash, form, definition)
    SELECT * FROM json_to_recordset($2::json) AS d(hash text, form text, definition text) ORDER BY hash
    ON CONFLICT DO NOTHING
  ), kept AS (
    INSERT INTO submissions (reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary)
    SELECT reference, form, definition, answers, "sealedAnswers", verdict, "tokenHash", "answersHash", "receivedAt", canary
    FROM given ORDER BY "tokenHash"
    ON CONFLICT DO NOTHING RETURNING id, reference, token_hash
  ), kept_deliveries AS (
    INSERT INTO deliveries (submission, next_attempt_at, held, urgent, rank, counted)
    SELECT id, least("nextAttemptAt", now() + ("nextAttemptAt" - "receivedAt")), held, urgent, rank, counted
    FROM kept JOIN given ON given."tokenHash" = kept.token_hash AND given.reference = kept.reference
  )
  SELECT reference, token_hash FROM kept`;

/** All that keeping one takes, in the same tables and indexes, and gone again before the commit: several statements in one text are one transaction. */
const trial = `
  INSERT INTO definitions (hash, form, definition) VALUES ('trial', 'help', '[]') ON CONFLICT DO NOTHING;
  INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at)
    VALUES ('trial', 'help', 'trial', repeat('x', 32768), '{}', 'trial', 'trial', now());
  -- Its form stays: before it goes, every request would be looked at, whether it answers that form.
  DELETE FROM submissions WHERE reference = 'trial';
  SELECT add_counts('[{"kind":"received","period":"trial","form":"help","field":"","value":"","count":1,"most":0}]');
  DELETE FROM counts WHERE kind = 'received' AND period = 'trial';
  INSERT INTO health (id, checked_at) VALUES (1, now()) ON CONFLICT (id) DO UPDATE SET checked_at = now()`;

interface Waiting {
  form: FormVersion;
  row: SubmissionRow;
  resolve: (added: Added) => void;
  reject: (error: Error) => void;
  /** An earlier COMMIT of it was not answered. */
  mayBeStored?: boolean;
}

/** The half of the PostgreSQL store that visitors wait for. */
export function createPostgresSubmissions(
  pool: Pool,
  query: Query,
): Pick<SubmissionStore, 'add' | 'findByToken' | 'tryWrite'> {
  // All submissions that come in while the last group is written share one transaction, and so one sync and one round of
  // counting: on a connection each, everybody's counting waits for everybody's sync.
  const waiting: Waiting[] = [];
  let isWriting = false;

  function enqueue(one: Waiting): void {
    waiting.push(one);
    if (!isWriting) void writeGroups();
  }

  async function writeGroups(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) await write(waiting.splice(0, groupSize));
    isWriting = false;
  }

  /** Behind it wait those of its own group that are written one by one. */
  async function write(group: readonly Waiting[], behind: Waiting[] = []): Promise<void> {
    const isAgain = group.some(({ mayBeStored }) => mayBeStored);
    try {
      const kept = await keepGroup(pool, group, isAgain ? againMs : groupMs);
      for (const one of group) {
        const { reference, receivedAt } = one.row;
        if (kept.has(one)) one.resolve({ added: true, receipt: { reference, receivedAt } });
        else void settleSpent(one);
      }
    } catch (cause) {
      if (cause instanceof LostCommit && !isAgain) {
        // The same rows once more, on another connection: where the first COMMIT is still under way, they wait for it.
        return write(
          group.map((one) => ({ ...one, mayBeStored: true })),
          behind,
        );
      }
      const isOfRows = isRolledBack(cause);
      if (isOfRows && group.length > 1) {
        // Nobody pays for what somebody else sent.
        const left = [...group];
        for (let one = left.shift(); one; one = left.shift()) await write([one], left);
        return;
      }
      // Behind a database that does not answer, the next would wait as long again: they are told at once.
      const refused = isOfRows ? group : [...group, ...behind.splice(0), ...waiting.splice(0)];
      for (const one of refused) refuse(one, cause);
    }
  }

  function refuse({ reject, mayBeStored = false }: Waiting, cause: unknown): void {
    reject(new StoreUnavailable('PostgreSQL could not keep the submission', { cause, mayBeStored }));
  }

  async function settleSpent(one: Waiting): Promise<void> {
    const { reference, answersHash, tokenHash } = one.row;
    try {
      const spent = await findByToken(tokenHash);
      // By the first try, whose answer was lost.
      const isOwn = spent?.receipt.reference === reference && spent.answersHash === answersHash;
      if (spent && isOwn) one.resolve({ added: true, receipt: spent.receipt });
      else if (spent) one.resolve({ added: false, spent });
      // Neither kept nor spent: the reference was taken. Draw another.
      else enqueue({ ...one, row: { ...one.row, reference: createReference() } });
    } catch (error) {
      refuse(one, error);
    }
  }

  async function findByToken(tokenHash: string): Promise<Spent | null> {
    const sql = 'SELECT reference, received_at, answers_hash FROM submissions WHERE token_hash = $1';
    const row = (await query(sql, [tokenHash])).rows[0];
    if (!row) return null;
    const receipt = { reference: row.reference, receivedAt: row.received_at.toISOString() };
    return { answersHash: row.answers_hash, receipt };
  }

  return {
    add: (submission) =>
      new Promise((resolve, reject) => {
        const row = toRow(submission, submission.reference ?? createReference());
        enqueue({ form: submission.form, row, resolve, reject });
      }),
    findByToken,
    tryWrite: () =>
      pool.query(trial).then(
        () => {},
        (cause) => {
          throw new StoreUnavailable('PostgreSQL could not be asked', { cause });
        },
      ),
  };
}

/** In one transaction: those that were kept, which are counted in it. The others' token, or reference, is taken. */
async function keepGroup(pool: Pool, group: readonly Waiting[], ms: number): Promise<Set<Waiting>> {
  const client = await pool.connect();
  let isReleased = false;
  const release = (isLost: boolean) => {
    clearTimeout(deadline);
    if (!isReleased) client.release(isLost);
    isReleased = true;
  };
  // Without its connection the step that is waited for fails.
  const deadline = setTimeout(release, ms, true);
  try {
    await client.query('BEGIN');
    const rows = JSON.stringify(
      group.map(({ row }) => row),
      Object.keys(given),
    );
    const found = await client.query(keepRows, [rows, JSON.stringify(definitionsOf(group))]);
    const kept = findKept(group, found.rows);
    await addCounts(client, sumWritten([...kept].map(({ row }) => row.counts)));
    await commit(client);
    release(false);
    return kept;
  } catch (error) {
    // Not given back: whatever state the transaction is in ends with the connection.
    release(true);
    throw error;
  }
}

/** The same form may be in a group twice: one of them was kept. */
function findKept(
  group: readonly Waiting[],
  rows: readonly { reference: string; token_hash: string }[],
): Set<Waiting> {
  const left = new Set(rows.map(({ reference, token_hash }) => `${reference} ${token_hash}`));
  return new Set(group.filter(({ row }) => left.delete(`${row.reference} ${row.tokenHash}`)));
}
