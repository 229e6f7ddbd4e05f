import type { DatabaseSync } from 'node:sqlite';
import type { FormName } from '../../../model/form-field.ts';
import { farthestAhead } from '../delivery-queue.ts';
import type { KeptRow } from '../kept-row.ts';
import { inTransaction } from './database.ts';
import { prepareKeeping } from './submissions.ts';

const selectRows = `
  SELECT s.*, d.definition AS definition_text, v.attempts, v.next_attempt_at, v.held, v.urgent, v.escalated_at, v.leased_until, v.delivered_at, v.parked_at, v.last_error
  FROM submissions s JOIN definitions d ON d.hash = s.definition JOIN deliveries v ON v.submission = s.id`;

/** What takes submissions from this file to another database, and into it. */
export function createSqliteMoving(db: DatabaseSync) {
  const claim = db.prepare(`
    UPDATE deliveries SET leased_until = :until WHERE submission IN (
      SELECT submission FROM deliveries WHERE leased_until IS NULL OR leased_until <= :now OR leased_until > :far
      ORDER BY submission LIMIT :limit
    ) RETURNING submission`);
  const find = db.prepare(`${selectRows} WHERE s.id = ?`);
  const findUndelivered = db.prepare(`${selectRows} WHERE v.delivered_at IS NULL ORDER BY s.id`);
  const drop = db.prepare(`
    DELETE FROM submissions WHERE reference = ?
      AND id IN (SELECT submission FROM deliveries WHERE leased_until = ?)`);
  const { keepDefinition, keepSubmission } = prepareKeeping(db);
  const keepDelivery = db.prepare(`
    INSERT INTO deliveries (submission, attempts, next_attempt_at, held, urgent, escalated_at, leased_until, delivered_at, parked_at, last_error)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);

  return {
    countKept: (): number => Number(db.prepare('SELECT count(*) AS n FROM submissions').get()?.n),

    /** Takes some that nobody is sending. Until the lease is over they are not sent from here. */
    claimForMoving(now: Date, limit: number, leasedUntil: Date): KeptRow[] {
      const claimed = claim.all({
        until: leasedUntil.toISOString(),
        now: now.toISOString(),
        far: farthestAhead(now).toISOString(),
        limit,
      });
      return claimed.map(({ submission }) => toKeptRow(find.get(Number(submission)) ?? {}));
    },

    /** Only those whose lease is still that of this claim. */
    dropMoved: (references: readonly string[], leasedUntil: Date): void =>
      inTransaction(db, () => {
        for (const reference of references) drop.run(reference, leasedUntil.toISOString());
      }),

    dropUndelivered: () =>
      db.exec(
        'DELETE FROM submissions WHERE id IN (SELECT submission FROM deliveries WHERE delivered_at IS NULL)',
      ),

    findUndelivered: (): KeptRow[] => findUndelivered.all().map(toKeptRow),

    /** Those that are there already stay as they are. Tells how many were not. */
    takeOver: (rows: readonly KeptRow[]): number =>
      inTransaction(db, () => {
        let count = 0;
        for (const row of rows) {
          keepDefinition({ hash: row.definition, form: row.form, definition: row.definitionText });
          const id = keepSubmission(row);
          if (id === null) continue;
          const { attempts, nextAttemptAt, held, urgent, escalatedAt } = row;
          const due = [attempts, nextAttemptAt, Number(held), Number(urgent), escalatedAt] as const;
          keepDelivery.run(id, ...due, row.leasedUntil, row.deliveredAt, row.parkedAt, row.lastError);
          count++;
        }
        return count;
      }),
  };
}

/** Of the columns of all three tables, with the definition's own as `definition_text`. */
export function toKeptRow(row: Record<string, unknown>): KeptRow {
  const text = (name: string) => row[name] as string | null;
  return {
    reference: String(row.reference),
    form: row.form as FormName,
    definition: String(row.definition),
    definitionText: String(row.definition_text),
    answers: text('answers'),
    sealedAnswers: text('sealed_answers'),
    verdict: String(row.verdict),
    tokenHash: String(row.token_hash),
    answersHash: String(row.answers_hash),
    receivedAt: String(row.received_at),
    attempts: Number(row.attempts),
    nextAttemptAt: String(row.next_attempt_at),
    held: Boolean(row.held),
    urgent: Boolean(row.urgent),
    escalatedAt: text('escalated_at') ?? null,
    leasedUntil: text('leased_until'),
    deliveredAt: text('delivered_at'),
    parkedAt: text('parked_at'),
    lastError: text('last_error'),
  };
}
