import { isNewDatabase } from '../server/submissions/postgres/is-new.ts';
import { openPostgresStore, type PostgresStore } from '../server/submissions/postgres/postgres-store.ts';

/** Makes the tables of a database that has none. One that has is for the server to bring up to date. */
export async function openOrMake(url: string): Promise<PostgresStore> {
  return openPostgresStore(url, () => {}, { migrates: await isNewDatabase(url) });
}
