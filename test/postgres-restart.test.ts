import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { sampleEntries } from './support/forms.ts';
import { startPostgres } from './support/postgres.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from './support/visitor.ts';

test('PostgreSQL may go away and come back under load: the server stays up and nothing acknowledged is lost', async () => {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const database = await postgres.createDatabase();
  const server = await startServer({
    DATABASE_URL: database,
    DATA_DIR: temporaryFolder(),
    ...trustTheVisitor,
  });
  onTestFinished(async () => void (await server.end()));

  const acknowledged: string[] = [];
  const refusals: string[] = [];
  let sending = true;
  const visitors = Array.from({ length: 10 }, async () => {
    while (sending) {
      const token = await mintToken();
      // As the browser does: the same form with the same token until it is acknowledged.
      for (;;) {
        const result = await send(server.url, 'help', sampleEntries.help, token);
        if (isReceipt(result)) {
          acknowledged.push(result.reference);
          break;
        }
        refusals.push(result);
        if (!sending) break;
      }
    }
  });

  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(50);
  await postgres.stop();
  await expect.poll(() => refusals.length, { timeout: 20_000 }).toBeGreaterThan(0);
  const ready = await fetch(`${server.url}/health/ready`);
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'not ready', problems: ['the database does not take a write'] },
  ]);
  await postgres.start();
  const atReturn = acknowledged.length;
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(atReturn + 50);
  sending = false;
  await Promise.all(visitors);

  expect(server.process.exitCode).toBeNull();
  expect(new Set(refusals)).toEqual(new Set(['UNAVAILABLE']));
  const client = new pg.Client(database);
  await client.connect();
  const { rows } = await client.query(
    'SELECT s.reference FROM submissions s JOIN deliveries d ON d.submission = s.id',
  );
  await client.end();
  const kept = rows.map(({ reference }) => reference);
  expect(new Set(kept).size).toBe(kept.length);
  expect(acknowledged.filter((reference) => !kept.includes(reference))).toEqual([]);
  // A resend after a lost answer got the first receipt, so nothing was kept that nobody was told of, but for the last.
  expect(kept.length - acknowledged.length).toBeLessThanOrEqual(visitors.length);
});
