import { existsSync } from 'node:fs';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { sampleEntries } from './support/forms.ts';
import { startPostgres } from './support/postgres.ts';
import { kept, patient, readiness, serve } from './support/running-server.ts';
import { mailTo, startSmtp } from './support/scripted-smtp.ts';
import type { TestServer } from './support/server.ts';
import { temporaryFolder } from './support/temporary.ts';
import { mintToken, solve } from './support/tokens.ts';
import { isReceipt, send } from './support/visitor.ts';
import { wrongBy } from './support/wrong-clocks.ts';

async function prepare() {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const database = await postgres.createDatabase();
  const dataDir = temporaryFolder();
  const start = (env: Record<string, string> = {}) =>
    serve({ DATABASE_URL: database, DATA_DIR: dataDir, ...env });
  async function inPostgres(): Promise<string[]> {
    const client = new pg.Client(database);
    await client.connect();
    const sql =
      "SELECT s.reference FROM submissions s LEFT JOIN jobs j ON j.key = 'mail:' || s.reference WHERE j.id IS NOT NULL OR s.accepted_at IS NOT NULL";
    const { rows } = await client.query(sql);
    await client.end();
    return rows.map(({ reference }) => reference);
  }
  const inFallback = () => kept(dataDir);
  return { postgres, dataDir, start, inPostgres, inFallback };
}

const away = 'PostgreSQL is away: requests are kept on this machine until it is back';

/** `npm run test:kills` asks for more than there is time for at every change. */
const kills = Math.ceil(Number(process.env.KILLS ?? 32) / 16);
const outages = process.env.KILLS ? 5 : 1;

/** One form after another until told to stop; each must be acknowledged, whatever happens to the database. */
function visit(server: TestServer, count: number) {
  const acknowledged: string[] = [];
  const refused: string[] = [];
  let sending = true;
  const visitors = Array.from({ length: count }, async () => {
    while (sending) {
      const result = await send(server.url, 'help', sampleEntries.help, await mintToken());
      if (isReceipt(result)) acknowledged.push(result.reference);
      else refused.push(result);
    }
  });
  const stop = async () => {
    sending = false;
    await Promise.all(visitors);
  };
  onTestFinished(stop);
  return { acknowledged, refused, stop };
}

test('while PostgreSQL restarts under load no form is refused, and each request is stored once', async () => {
  const { postgres, start, inPostgres, inFallback } = await prepare();
  const server = await start();
  const { acknowledged, refused, stop } = visit(server, 10);
  for (let outage = 0; outage < outages; outage++) {
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length, patient).toBeGreaterThan(before + 50);
    await postgres.stop();
    const atGone = acknowledged.length;
    await expect.poll(() => acknowledged.length, patient).toBeGreaterThan(atGone + 50);
    await expect.poll(() => readiness(server), patient).toEqual([200, { status: 'ready', warnings: [away] }]);
    await postgres.start();
    await expect.poll(() => readiness(server), patient).toEqual([200, { status: 'ready' }]);
  }
  await stop();
  expect(refused).toEqual([]);
  await expect.poll(() => inFallback(), patient).toEqual([]);
  const kept = await inPostgres();
  expect(kept.toSorted()).toEqual(acknowledged.toSorted());
  expect(server.process.exitCode).toBeNull();
});

test('a server that is killed during each transfer has every request once in the end', async () => {
  const { postgres, start, inPostgres, inFallback } = await prepare();
  await postgres.stop();
  const acknowledged: string[] = [];
  let server = await start();
  while (acknowledged.length < 60 * kills) {
    const some = Array.from({ length: 20 }, async () =>
      send(server.url, 'help', sampleEntries.help, await mintToken()),
    );
    acknowledged.push(...(await Promise.all(some)).filter(isReceipt).map(({ reference }) => reference));
  }
  // Also one that was never told that the database is back.
  await server.end('SIGKILL');
  await postgres.start();
  for (let kill = 0; kill < kills; kill++) {
    server = await start();
    const moved = () => server.lines.some((line) => line.includes('"event":"requests transferred"'));
    await expect.poll(() => moved() || inFallback().length === 0, { ...patient, interval: 1 }).toBe(true);
    await server.end('SIGKILL');
  }
  server = await start();
  await expect.poll(() => inFallback(), patient).toEqual([]);
  expect((await inPostgres()).toSorted()).toEqual(acknowledged.toSorted());
  process.stdout.write(`${kills} kills, ${acknowledged.length} moved\n`);
});

test('a server starts without PostgreSQL, stores and mails forms, and transfers them later', async () => {
  const { postgres, dataDir, start, inPostgres, inFallback } = await prepare();
  await postgres.stop();
  const server = await start({ BOT_CHECK_SECRET: '' });
  const challengeOf = async ({ url }: TestServer) => (await fetch(`${url}/bot-check/challenge`)).json();
  const early = await solve((await challengeOf(server)) as never);
  const sent = await send(
    server.url,
    'help',
    sampleEntries.help,
    await solve((await challengeOf(server)) as never),
  );
  if (!isReceipt(sent)) throw new Error(`Not taken: ${sent}`);
  const delivered = () => server.lines.some((line) => line.includes('"event":"mail accepted"'));
  await expect.poll(delivered, patient).toBe(true);
  expect(existsSync(`${dataDir}/mail/${sent.reference}.eml`)).toBe(true);
  expect(inFallback()).toEqual([sent.reference]);

  await postgres.start();
  await expect.poll(() => inFallback(), patient).toEqual([]);
  expect(await inPostgres()).toEqual([sent.reference]);
  // A challenge of before is still good, and one of this server is good at another that shares the database.
  expect(isReceipt(await send(server.url, 'contact', sampleEntries.contact, early))).toBe(true);
  const other = await start({ BOT_CHECK_SECRET: '', DATA_DIR: temporaryFolder() });
  const token = await solve((await challengeOf(server)) as never);
  expect(isReceipt(await send(other.url, 'contact', sampleEntries.contact, token))).toBe(true);
});

test('servers whose clocks are hours apart share the work all the same, and send each mail once', async () => {
  const { start } = await prepare();
  const smtp = await startSmtp();
  const hour = 3_600_000;
  const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  const servers = await Promise.all(
    [0, 5 * hour, -5 * hour].map((ms, n) =>
      start({ ...mailTo(smtp.port), ...wrongBy(ms), DATA_DIR: folders[n] ?? '' }),
    ),
  );
  const expiresAt = new Date(Date.now() + 10 * hour);
  const sent = await Promise.all(
    Array.from({ length: 12 }, async (_, n) =>
      send(servers[n % 3]?.url ?? '', 'help', sampleEntries.help, await mintToken({ expiresAt })),
    ),
  );
  const references = sent.filter(isReceipt).map(({ reference }) => reference);
  expect(references).toHaveLength(12);
  // Staff are told of the clocks too.
  const mailed = () =>
    smtp.accepted.flatMap(({ raw }) => /^Message-ID: <(.{4}-.{4})@/im.exec(raw)?.[1] ?? []);
  await expect.poll(() => mailed().length, patient).toBe(12);
  // Nothing is left that one of them would take for overdue, or send again.
  for (const server of servers) {
    // What was just taken is written down a moment later.
    const health = async () => (await fetch(`${server.url}/health/deliveries`)).json();
    await expect.poll(health, patient).toEqual({ status: 'in time' });
  }
  expect(new Set(mailed())).toEqual(new Set(references));
  expect(mailed()).toHaveLength(12);
});
