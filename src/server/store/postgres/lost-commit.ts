import type { ClientBase } from 'pg';

/** A COMMIT was sent and not answered. The database may have done it, and may still be at it. */
export class LostCommit extends Error {
  override name = 'LostCommit';
}

/** What PostgreSQL says where it has rolled back: data, constraints, limits, transactions that waited for each other. */
export const isRolledBack = (error: unknown): boolean =>
  /^(22|23|40|54)/.test((error as { code?: string }).code ?? '');

/** @throws {LostCommit} where it is not known whether this was done */
export async function commit(client: ClientBase): Promise<void> {
  try {
    await client.query('COMMIT');
  } catch (cause) {
    if (isRolledBack(cause)) throw cause;
    throw new LostCommit('The answer to a COMMIT was lost', { cause });
  }
}
