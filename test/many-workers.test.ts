import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Store } from '../src/server/store/contract/store.ts';
import { openPostgresStore } from '../src/server/store/postgres/postgres-store.ts';
import { createDatabase } from './support/databases.ts';
import type { DeliveryProcessOptions } from './support/delivery-process.ts';
import { type ScriptedSmtp, startScriptedSmtp, type Taken } from './support/scripted-smtp.ts';
import { storeSubmission } from './support/stored-submissions.ts';

const concurrency = 4;

/** `npm run test:kills` asks for more than there is time for at every change. */
const many = process.env.KILLS ? { mails: 2_000, kills: 6 } : { mails: 600, kills: 2 };

// Thousands of mails between four processes: a busy machine may take its time.
vi.setConfig({ testTimeout: 240_000 });

async function prepare(count: number, leaseMs: number) {
  const databaseUrl = await createDatabase();
  const store = await openPostgresStore(databaseUrl, () => {});
  const smtp = await startScriptedSmtp();
  const children = new Set<ChildProcess>();
  onTestFinished(async () => {
    for (const child of children) child.kill('SIGKILL');
    await smtp.close();
    await store.close();
  });
  const references: string[] = [];
  // As many at a time as the store has connections.
  while (references.length < count) {
    const some = Array.from({ length: Math.min(10, count - references.length) }, () =>
      storeSubmission(store, { receivedAt: new Date() }),
    );
    references.push(...(await Promise.all(some)));
  }
  const lines: string[] = [];

  function start(): ChildProcess {
    const options: DeliveryProcessOptions = { databaseUrl, smtpPort: smtp.port, leaseMs, concurrency };
    const child = spawn(process.execPath, ['test/support/delivery-process.ts', JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.add(child);
    child.on('exit', () => children.delete(child));
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    return child;
  }
  return { store, smtp, start, children, references, lines };
}

const patient = { timeout: 120_000, interval: 50 };
const waiting = async (store: Store) =>
  (await store.summariseUndelivered()).reduce((sum, one) => sum + one.waiting, 0);
const idOf = ({ raw }: Taken) => /^Message-ID: <([^@]+)@/im.exec(raw)?.[1] ?? '';

/** How many came more than once, after it was made sure that all came. */
function countDuplicates({ seen }: ScriptedSmtp, references: string[]): number {
  const ids = seen.map(idOf);
  expect(new Set(ids)).toEqual(new Set(references));
  return ids.length - references.length;
}

test('two servers share the work, and each mail is sent once', async () => {
  const { store, smtp, start, references, lines } = await prepare(200, 60_000);
  const servers = [start(), start()];
  await expect.poll(() => waiting(store), patient).toBe(0);
  expect(countDuplicates(smtp, references)).toBe(0);
  for (const server of servers) {
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  }
  expect(lines.filter((line) => line.includes('"event":"mail accepted"'))).toHaveLength(200);
  expect(smtp.mostAtOnce).toBeLessThanOrEqual(2 * concurrency + 2);
});

test('servers that are killed at any moment lose nothing, and send little twice', async () => {
  const { store, smtp, start, children, references } = await prepare(many.mails, 4_000);
  start();
  start();
  const { mails, kills } = many;
  for (let kill = 1; kill <= kills; kill++) {
    // Each kill has its stretch of the work, and comes earlier or later in it, whatever the victim is doing then.
    const point = Math.floor((mails * (kill - 0.9 + ((kill * 0.37) % 0.6))) / (kills + 1));
    await expect.poll(() => smtp.seen.length, { ...patient, interval: 5 }).toBeGreaterThanOrEqual(point);
    const victims = [...children];
    victims[kill % victims.length]?.kill('SIGKILL');
    start();
  }
  await expect.poll(() => waiting(store), patient).toBe(0);
  expect(await store.summariseUndelivered()).toEqual([]);
  expect(countDuplicates(smtp, references)).toBeLessThanOrEqual(kills * concurrency);
});

test('a server that was frozen past its lease is fenced off when it wakes up', async () => {
  const { store, smtp, start, references, lines } = await prepare(1, 2_000);
  const [reference = ''] = references;
  const answer = Promise.withResolvers<void>();
  smtp.hold = answer.promise;
  const frozen = start();
  await expect.poll(() => smtp.seen.length, patient).toBe(1);
  frozen.kill('SIGSTOP');
  smtp.hold = undefined;
  start();
  await expect.poll(() => waiting(store), patient).toBe(0);
  const before = (await store.findSubmission(reference))?.delivery;

  answer.resolve();
  frozen.kill('SIGCONT');
  await expect.poll(() => lines.join('\n'), patient).toContain('"event":"lease lost"');
  expect((await store.findSubmission(reference))?.delivery).toEqual(before);
  expect(lines.filter((line) => line.includes('"event":"mail accepted"'))).toHaveLength(1);
  // Both servers sent the mail. On a busy machine further leases of 2 s may have ended before.
  expect(countDuplicates(smtp, references)).toBeGreaterThanOrEqual(1);
});
