import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { sampleEntries } from './support/forms.ts';
import { startServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken } from './support/tokens.ts';
import { isReceipt, send, trustTheVisitor } from './support/visitor.ts';

/** `npm run test:kills` asks for more than there is time for at every change. */
const rounds = Number(process.env.KILLS ?? 2);
const clients = 50;

/** Each client sends one form after another until the server is gone, and notes what was acknowledged. */
async function sendUntilGone(url: string, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      const result = await send(url, 'contact', sampleEntries.contact, await mintToken());
      if (isReceipt(result)) acknowledged.push(result.reference);
    } catch {
      return;
    }
  }
}

test('every acknowledged request is there after kill -9, once, with its delivery', {
  timeout: rounds * 60_000,
}, async () => {
  const dataDir = temporaryFolder();
  const acknowledged: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const server = await startServer({ DATA_DIR: dataDir, ...trustTheVisitor });
    const before = acknowledged.length;
    const visits = Array.from({ length: clients }, () => sendUntilGone(server.url, acknowledged));
    // The kill comes after a number of acknowledgements, and so while forms are being stored, however fast the machine is.
    // Each round has another number, up to 150.
    const enough = before + 1 + ((round * 61) % 150);
    await expect.poll(() => acknowledged.length, { interval: 1 }).toBeGreaterThanOrEqual(enough);
    await server.end('SIGKILL');
    await Promise.all(visits);
  }

  using db = new DatabaseSync(`${dataDir}/awhina.sqlite`);
  expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
  const rows = db
    .prepare(
      "SELECT s.reference, (s.accepted_at IS NOT NULL) + count(j.id) AS deliveries FROM submissions s LEFT JOIN jobs j ON j.key = 'mail:' || s.reference GROUP BY s.id",
    )
    .all() as { reference: string; deliveries: number }[];
  const kept = new Map(rows.map(({ reference, deliveries }) => [reference, deliveries]));
  expect(acknowledged.length).toBeGreaterThan(rounds);
  expect(new Set(acknowledged).size).toBe(acknowledged.length);
  expect(acknowledged.filter((reference) => !kept.has(reference))).toEqual([]);
  expect([...kept.values()].every((deliveries) => deliveries === 1)).toBe(true);
  process.stdout.write(`${rounds} kills, ${acknowledged.length} acknowledged\n`);
});
