import type { Escalation } from '../contract/delivery-queue.ts';

/**
 * Among requests of the same rank an urgent one is mailed as if it had been received this much earlier: before one that
 * waited up to an hour longer, and no more than that. A program that marks everything as urgent could otherwise hold up
 * every other person's mail.
 */
export const headStartMs = 60 * 60_000;

/** As the index deliveries_ranked has them, in both databases. */
export const waitingKinds = { never: 0, before: 1, held: 2 } as const;

type Row = Record<string, unknown>;

/** In the order in which the mail goes out: the first of every sender, then the second, each by time. */
export function inOrder(rows: readonly Row[]): Row[] {
  const due = ({ urgent, next_attempt_at }: Row) =>
    new Date(next_attempt_at as string).getTime() - (urgent ? headStartMs : 0);
  const compare = (one: Row, other: Row) =>
    Number(one.rank) - Number(other.rank) || due(one) - due(other) || Number(one.id) - Number(other.id);
  return rows.toSorted(compare);
}

export function toEscalation(row: Row): Escalation {
  return {
    reference: String(row.reference),
    receivedAt: new Date(row.received_at as string),
    lastError: row.last_error as string | null,
  };
}
