import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { nodeFlags } from '../../scripts/node-flags.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { mailTo, startScriptedSmtp } from '../../test/support/scripted-smtp.ts';
import { startServer } from '../../test/support/server.ts';
import { trustTheVisitor } from '../../test/support/visitor.ts';
import type { Finding } from '../report.ts';
import { temporaryDataDir } from '../temporary-data-dir.ts';
import { createFaults, type Fault, runFaults } from './faults.ts';
import { requestsIn } from './mailed-requests.ts';
import { createMisuse } from './misuse.ts';
import { countHandles, judgeSamples, printSample, type Sample, takeSample } from './samples.ts';
import { runTraffic, type Traffic } from './traffic.ts';
import { createVisitors } from './visitors.ts';

/** All kinds of visits, misuse and faults at once: does the server stay the same, and is every receipt true? */

const wholeMs = Number(process.env.SOAK_MINUTES || 10) * 60_000;
const sampleMs = Math.min(15_000, wholeMs / 24);
/** A mail server that hangs is given up on after 45 s. */
const settleMs = 90_000;

export async function measureSoak(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  const contentDir = join(folder.path, 'content');
  const dataDir = join(folder.path, 'data');
  await cp('content', contentDir, { recursive: true });
  const smtp = await startScriptedSmtp();
  const postgres = process.env.SOAK_DATABASE === 'postgres' ? await startPostgres() : null;
  const database = await postgres?.createDatabase();
  const server = await startServer({
    ...{ NODE_ENV: 'production', NODE_OPTIONS: nodeFlags.join(' ') },
    ...{ CONTENT_DIR: contentDir, DATA_DIR: dataDir },
    ...(database ? { DATABASE_URL: database } : {}),
    ...mailTo(smtp.port),
    ...trustTheVisitor,
  });
  const pid = server.process.pid ?? 0;
  try {
    const before = await fewestHandles(pid, 3_000);
    const faults = await createFaults({ smtp, contentDir, dataDir, postgres });
    const { samples, traffic, acknowledged } = await soak(server.url, pid, faults);
    // Requests may still be on their way to PostgreSQL or to the mail server.
    const after = await fewestHandles(pid, settleMs, before);
    const code = await server.end();
    const stored = await readReferences(dataDir, database);
    const missing = acknowledged.filter((reference) => !stored.has(reference));
    const mailed = smtp.accepted.flatMap(requestsIn);
    const unexpected = Object.values(traffic.unexpected).reduce((sum, count) => sum + count, 0);
    return [
      ...judgeSamples(samples),
      {
        name: `open handles, ${before} before, ${after} after: more`,
        value: Math.max(0, after - before),
        atMost: 0,
      },
      { name: 'responses that were not as they should be', value: unexpected, atMost: 0 },
      { name: 'acknowledged', value: acknowledged.length, atLeast: 1 },
      { name: 'acknowledged and not in the database', value: missing.length, atMost: 0 },
      { name: 'mailed to staff', value: mailed.length, atLeast: 1 },
      {
        name: 'accepted by the mail server twice',
        value: mailed.length - new Set(mailed).size,
        atMost: 0,
      },
      { name: 'exit code', value: code ?? 1, atMost: 0 },
    ];
  } finally {
    await Promise.all([server.end('SIGKILL'), smtp.close()]);
    await postgres?.remove();
  }
}

async function soak(url: string, pid: number, faults: readonly Fault[]) {
  const traffic: Traffic = { counts: {}, unexpected: {} };
  const acknowledged: string[] = [];
  const samples: Sample[] = [];
  const over = new AbortController();
  const { signal } = over;
  const clients = { ...(await createVisitors(url, acknowledged)), ...createMisuse(url, signal) };
  const visits = runTraffic(clients, traffic, signal);
  let begun: string[] = [];
  const injections = (async () => {
    while (!signal.aborted) await runFaults(faults, wholeMs / 4, (name) => begun.push(name), signal);
  })();
  // A failure is reported when it is awaited, after the traffic has ended.
  injections.catch(() => {});
  const started = performance.now();
  try {
    console.log();
    for (let n = 1; n * sampleMs <= wholeMs; n++) {
      await pause(Math.max(0, started + n * sampleMs - performance.now()));
      const sample = takeSample(pid, traffic, (performance.now() - started) / 1_000);
      samples.push(sample);
      printSample(sample, traffic, begun);
      begun = [];
    }
  } finally {
    over.abort();
    await Promise.all([injections, visits]);
  }
  return { samples, traffic, acknowledged };
}

/** The fewest open handles within a time, which ends early when there are as few as wanted. */
async function fewestHandles(pid: number, withinMs: number, wanted = 0): Promise<number> {
  const until = performance.now() + withinMs;
  let fewest = Number.POSITIVE_INFINITY;
  while (performance.now() < until && fewest > wanted) {
    fewest = Math.min(fewest, countHandles(pid));
    await pause(100);
  }
  return fewest;
}

async function readReferences(dataDir: string, database: string | undefined): Promise<Set<string>> {
  using db = new DatabaseSync(join(dataDir, 'awhina.sqlite'), { readOnly: true });
  const sql = 'SELECT reference FROM submissions';
  const rows: Record<string, unknown>[] = db.prepare(sql).all();
  if (database) {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    rows.push(...(await client.query(sql)).rows);
    await client.end();
  }
  return new Set(rows.map(({ reference }) => String(reference)));
}
