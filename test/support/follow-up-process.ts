/**
 * A process that takes and answers submissions, several at a time, and prints each step that the store has acknowledged. A
 * test kills it.
 */
import { writeSync } from 'node:fs';
import { openPostgresStore } from '../../src/server/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';

const { DATA_DIR = '', DATABASE_URL } = process.env;
const store = DATABASE_URL
  ? await openPostgresStore(DATABASE_URL, () => {})
  : await openSqliteStore(DATA_DIR);
const left = process.argv.slice(2);

async function work(name: string): Promise<void> {
  for (let reference = left.shift(); reference; reference = left.shift())
    for (const step of ['taken', 'answered', 'no-contact', 'withdrawn'] as const) {
      const outcome = await store.recordStep(reference, step, name, new Date());
      if (outcome?.changed) writeSync(1, `${step} ${reference} ${name}\n`);
    }
}
await Promise.all(['AB', 'CD', 'EF', 'GH'].map(work));
await store.close();
