import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { claimMail, postponeMail } from '../../src/server/store/contract/mail-jobs.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';

/** Opens the database in each folder of a folder as the server does when it starts, and prints what it found there. */
export interface Upgraded {
  /** All stored requests. */
  references: string[];
  /** What would be mailed now. */
  due: string[];
}

const [parent = ''] = process.argv.slice(2);
const found: Record<string, Upgraded> = {};
for (const name of readdirSync(parent)) {
  const store = await openSqliteStore(join(parent, name), { inspect: true });
  const references: string[] = [];
  for await (const { reference } of store.iterateSubmissions({})) references.push(reference);
  const kinds = ['new', 'retry', 'held'] as const;
  const claims = [];
  for (const kind of kinds) claims.push(...(await claimMail(store, new Date(), 100, 60_000, kind)));
  const due = claims.map(({ submission }) => submission.reference);
  // Released, so that the next server to open the database finds them due as well.
  for (const one of claims) await postponeMail(store, one, new Date(0), 'tried');
  await store.close();
  found[name] = { references: references.toSorted(), due: due.toSorted() };
}
process.stdout.write(JSON.stringify(found));
