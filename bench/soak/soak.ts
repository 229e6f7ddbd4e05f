import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../../test/support/postgres.ts';
import { mailTo, startScriptedSmtp } from '../../test/support/scripted-smtp.ts';
import { startServer, type TestServer } from '../../test/support/server.ts';
import { trustTheVisitor } from '../../test/support/visitor.ts';
import { temporaryDataDir } from '../data-dir.ts';
import type { Finding } from '../report.ts';
import { startAsked } from './asked-process.ts';
import { createFaults, runFaults } from './faults.ts';
import { judgeSamples } from './findings.ts';
import { findMailedTwice, requestsIn } from './mails.ts';
import { countHandles, printHeading, printSample, readFigures, type Sample, takeSample } from './samples.ts';
import type { VisitReport } from './visitors.ts';

/** Everything at once, for as long as one likes, and whether the server is the same afterwards. */

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
    ...{ NODE_ENV: 'production', CONTENT_DIR: contentDir, DATA_DIR: dataDir, METRICS_PORT: '0' },
    ...(database ? { DATABASE_URL: database } : {}),
    ...mailTo(smtp.port),
    ...trustTheVisitor,
  });
  const idle = startAsked('bench/soak/idle-loop.ts');
  try {
    const handles = await countSettled(server);
    const faults = await createFaults({ smtp, contentDir, dataDir, postgres });
    const { samples, visits } = await soak(server, idle, faults);
    // Some of it may be on its way from the spare to PostgreSQL, and some mail in hand.
    const left = await countSettled(server, handles);
    const failed = failedAnswers(await readFigures(server));
    const code = await server.end();
    const kept = await readReferences(dataDir, database);
    const unexpected = Object.values(visits.unexpected).reduce((sum, times) => sum + times, 0);
    return [
      ...judgeSamples(samples),
      {
        name: `open handles, ${handles} before, ${left} after: more`,
        value: Math.max(0, left - handles),
        atMost: 0,
      },
      { name: 'answers that were not as they should be', value: unexpected, atMost: 0 },
      { name: 'answers of 500 and more', value: failed, atMost: 0 },
      { name: 'acknowledged', value: visits.acknowledged.length, atLeast: 1 },
      {
        name: 'acknowledged and not in the database',
        value: visits.acknowledged.filter((reference) => !kept.has(reference)).length,
        atMost: 0,
      },
      { name: 'mailed to staff', value: smtp.accepted.flatMap(requestsIn).length, atLeast: 1 },
      { name: 'accepted by the mail server twice', value: findMailedTwice(smtp.accepted).length, atMost: 0 },
      { name: 'exit code', value: code ?? 1, atMost: 0 },
    ];
  } finally {
    await Promise.all([idle.end(), server.end('SIGKILL'), smtp.close()]);
    await postgres?.remove();
  }
}

async function soak(
  server: TestServer,
  idle: ReturnType<typeof startAsked>,
  faults: Awaited<ReturnType<typeof createFaults>>,
): Promise<{ samples: Sample[]; visits: VisitReport }> {
  const visitors = startAsked('bench/soak/visitors.ts', [server.url]);
  const over = new AbortController();
  let told: string[] = [];
  const troubles = (async () => {
    while (!over.signal.aborted) await runFaults(faults, wholeMs / 4, (name) => told.push(name), over.signal);
  })();
  // One that could not be made is told at the end, when the server has been ended too.
  troubles.catch(() => {});
  const samples: Sample[] = [];
  const started = performance.now();
  try {
    printHeading();
    // What came before this belongs to no sample.
    await takeSample(server, idle, 0);
    for (let n = 1; n * sampleMs <= wholeMs; n++) {
      await pause(Math.max(0, started + n * sampleMs - performance.now()));
      const sample = await takeSample(server, idle, (performance.now() - started) / 1_000);
      samples.push(sample);
      printSample(sample, await visitors.ask<VisitReport>('report'), told);
      told = [];
    }
    over.abort();
    await troubles;
    return { samples, visits: await visitors.ask<VisitReport>('leave') };
  } finally {
    over.abort();
    await Promise.all([troubles, visitors.end()]);
  }
}

/** The fewest there are within a while; not for longer than until there are as few as there should be. */
async function countSettled({ process: { pid } }: TestServer, wanted = 0): Promise<number> {
  const until = performance.now() + (wanted ? settleMs : 3_000);
  let fewest = Number.POSITIVE_INFINITY;
  while (performance.now() < until && fewest > wanted) {
    fewest = Math.min(fewest, countHandles(pid));
    await pause(100);
  }
  return fewest;
}

const failedAnswers = (figures: ReadonlyMap<string, number>) =>
  [...figures]
    .filter(([series]) => series.startsWith('awhina_answers_total') && series.includes('status="5xx"'))
    .reduce((sum, [, times]) => sum + times, 0);

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
