import type { ClientBase } from 'pg';

/** A COMMIT was sent and not answered. The database may have committed, or may still be committing. */
export class LostCommit extends Error {
  override name = 'LostCommit';
}

/** Whether the database certainly rolled back, by PostgreSQL's error classes: bad data, constraints, deadlocks, limits. */
export const isRolledBack = (error: unknown): boolean =>
  /^(22|23|40|54)/.test((error as { code?: string }).code ?? '');

/** @throws {LostCommit} where it is not known whether the transaction was committed */
export async function commit(client: ClientBase): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (cause) {
    if (isRolledBack(cause)) throw cause;
    throw new LostCommit('The answer to a COMMIT was lost', { cause });
  }
}
