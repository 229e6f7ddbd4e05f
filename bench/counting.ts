import { randomUUID } from 'node:crypto';
import type { Store } from '../src/server/store/contract/store.ts';
import { openPostgresStore } from '../src/server/store/postgres/postgres-store.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { unlimitedQuota } from '../src/server/submissions/quota.ts';
import { createSubmit } from '../src/server/submissions/submit.ts';
import { sampleEntries, shippedContent } from '../test/support/forms.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { temporaryDataDir } from './data-dir.ts';
import { believing } from './delivery.ts';
import { type Finding, median } from './report.ts';

/**
 * What counting costs whoever sends a form: the same submissions into the same database, by turns counted and not. Those that
 * are not are kept as the site's own trial of itself is, which counts nowhere.
 */

const visitors = 50;
const rounds = 7;
const submissions = { sqlite: 4_000, postgres: 800 };

export async function measureCounting(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  const file = await openSqliteStore(folder.path);
  const server = await startPostgres();
  const database = await openPostgresStore(await server.createDatabase(), () => {});
  try {
    return [
      ...(await compare('SQLite', file, submissions.sqlite, 0.95)),
      // One more statement a group, of four: less is felt of it the more come in together.
      ...(await compare('PostgreSQL', database, submissions.postgres, 0.8)),
    ];
  } finally {
    await Promise.all([file.close(), database.close()]);
    await server.remove();
  }
}

async function compare(name: string, store: Store, count: number, atLeast?: number): Promise<Finding[]> {
  const uncounted: Store = { ...store, add: (submission) => store.add({ ...submission, canary: true }) };
  const pairs: { counted: number; uncounted: number }[] = [];
  // The first round warms up. Each goes first by turns, so that what else the machine does falls on both.
  for (let round = 0; round <= rounds; round++) {
    const pair = { counted: 0, uncounted: 0 };
    const turns = [
      async () => {
        pair.counted = await measure(store, count);
      },
      async () => {
        pair.uncounted = await measure(uncounted, count);
      },
    ];
    for (const turn of round % 2 ? turns : turns.toReversed()) await turn();
    if (round > 0) pairs.push(pair);
  }
  const middle = (of: (pair: { counted: number; uncounted: number }) => number) => median(pairs.map(of));
  return [
    {
      name: `submissions a second, ${name}, not counted`,
      value: Math.round(middle((pair) => pair.uncounted)),
    },
    { name: `submissions a second, ${name}, counted`, value: Math.round(middle((pair) => pair.counted)) },
    // 1 would mean that it makes no difference.
    {
      name: `${name}, counted beside not counted, ratio`,
      value: middle((pair) => pair.counted / pair.uncounted),
      ...(atLeast === undefined ? {} : { atLeast }),
    },
  ];
}

async function measure(store: Store, count: number): Promise<number> {
  const submitForm = createSubmit({ store, botCheck: believing, now: () => new Date() });
  const started = performance.now();
  let left = count;
  const visit = async () => {
    while (left-- > 0) {
      const outcome = await submitForm(
        shippedContent.forms.help,
        sampleEntries.help,
        randomUUID(),
        unlimitedQuota,
      );
      if (!outcome.ok) throw new Error(outcome.message);
    }
  };
  await Promise.all(Array.from({ length: visitors }, visit));
  return (count * 1000) / (performance.now() - started);
}
