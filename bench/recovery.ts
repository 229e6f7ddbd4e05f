import { setTimeout as wait } from 'node:timers/promises';
import { sampleEntries } from '../test/support/forms.ts';
import { startPostgres } from '../test/support/postgres.ts';
import { startServer } from '../test/support/server.ts';
import { mintToken } from '../test/support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from '../test/support/visitor.ts';
import { temporaryDataDir } from './data-dir.ts';
import type { Finding } from './report.ts';

/** How long are visitors still refused when PostgreSQL is back? The longest of a few times, under load. */

const rounds = 5;
const visitors = 10;
const awayMs = 2_000;
/** Long enough after its return that nothing would be refused any more. */
const afterMs = 5_000;

export async function measureRecovery(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  const postgres = await startPostgres();
  const server = await startServer({
    DATABASE_URL: await postgres.createDatabase(),
    DATA_DIR: folder.path,
    ...trustTheVisitor,
  });
  let lastRefusal = 0;
  let refusals = 0;
  let sending = true;
  const visit = async () => {
    while (sending) {
      if (isReceipt(await send(server.url, 'help', sampleEntries.help, await mintToken()))) continue;
      lastRefusal = performance.now();
      refusals++;
    }
  };
  try {
    const visits = Array.from({ length: visitors }, visit);
    let longest = 0;
    for (let round = 0; round < rounds; round++) {
      await postgres.stop();
      await wait(awayMs);
      await postgres.start();
      const back = performance.now();
      await wait(afterMs);
      longest = Math.max(longest, lastRefusal - back);
    }
    sending = false;
    await Promise.all(visits);
    return [
      { name: 'refused while it was away', value: refusals, atLeast: 1 },
      { name: 'last refused after its return, s', value: longest / 1_000, atMost: 3 },
    ];
  } finally {
    sending = false;
    await server.end();
    await postgres.remove();
  }
}
