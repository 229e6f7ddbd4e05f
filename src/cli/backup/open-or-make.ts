import { isNewDatabase } from '../../server/store/postgres/new-database.ts';
import { openPostgresStore, type PostgresStore } from '../../server/store/postgres/postgres-store.ts';

/** Makes the tables of a database that has none. One that has is for the server to bring up to date. */
export async function openOrMake(url: string): Promise<PostgresStore> {
  return openPostgresStore(url, () => {}, { migrates: await isNewDatabase(url) });
}
