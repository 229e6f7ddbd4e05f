import { isNewDatabase } from '../../server/store/postgres/new-database.ts';
import { openPostgresStore, type PostgresStore } from '../../server/store/postgres/postgres-store.ts';

/** Makes the tables of a database that has none. A database that has them is the server's to migrate. */
export async function openOrMake(url: string): Promise<PostgresStore> {
  return openPostgresStore(url, () => {}, { migrates: await isNewDatabase(url) });
}
