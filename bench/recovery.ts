import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { sampleEntries } from '../test/support/forms.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startServer } from '../test/support/server.ts';
import { mintToken } from '../test/support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from '../test/support/visitor.ts';
import { temporaryDataDir } from './data-dir.ts';
import type { Finding } from './report.ts';

/** Is anybody refused while PostgreSQL is away, and how long does it take until it has what was kept meanwhile? */

const rounds = 5;
const visitors = 10;
const awayMs = 2_000;

export async function measureRecovery(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  const postgres = await startPostgres();
  const server = await startServer({
    DATABASE_URL: await postgres.createDatabase(),
    DATA_DIR: folder.path,
    ...trustTheVisitor,
  });
  let refusals = 0;
  let sending = true;
  const visit = async () => {
    while (sending) {
      if (!isReceipt(await send(server.url, 'help', sampleEntries.help, await mintToken()))) refusals++;
    }
  };
  const left = () => {
    using db = new DatabaseSync(`${folder.path}/awhina.sqlite`, { timeout: 5_000 });
    return Number(db.prepare('SELECT count(*) AS n FROM submissions').get()?.n);
  };
  try {
    let longest = 0;
    let moved = 0;
    for (let round = 0; round < rounds; round++) {
      sending = true;
      const visits = Array.from({ length: visitors }, visit);
      await wait(awayMs);
      await postgres.stop();
      await wait(awayMs);
      sending = false;
      await Promise.all(visits);
      moved += left();
      await postgres.start();
      const back = performance.now();
      while (left() > 0) await wait(20);
      longest = Math.max(longest, performance.now() - back);
    }
    return [
      { name: 'refused', value: refusals, atMost: 0 },
      { name: 'kept while it was away', value: moved, atLeast: 1 },
      { name: 'all moved after its return, s', value: longest / 1_000 },
    ];
  } finally {
    sending = false;
    await server.end();
    await postgres.remove();
  }
}
