import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import { startScript, startServer } from '../test/support/server.ts';
import { trustTheVisitor } from '../test/support/visitor.ts';
import { temporaryDataDir } from './data-dir.ts';
import { type Finding, median } from './report.ts';

/**
 * How long a page takes while forms come in as fast as they are taken, and while another program holds the database,
 * beside how long it takes when nothing else happens. In turn, so that a busy machine is busy for all of them.
 */

const rounds = 3;
const seconds = 3;

/** A hundred visits a second, few enough that none waits for another. */
async function visitPages(url: string): Promise<{ middle: number; p99: number }> {
  const { latency, non2xx, errors } = await autocannon({
    url: `${url}/help`,
    headers: { 'accept-encoding': 'br' },
    connections: 10,
    overallRate: 100,
    duration: seconds,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx} pages were not 200 and ${errors} did not come`);
  return { middle: latency.p50, p99: latency.p99 };
}

async function whileSubmitting<T>(url: string, work: () => Promise<T>): Promise<T> {
  const submitter = await startScript('bench/submitter.ts', [url]);
  try {
    await wait(1_000);
    return await work();
  } finally {
    await submitter.end('SIGKILL');
  }
}

/** Some forms wait meanwhile, as they would. */
async function whileLocked<T>(folder: string, url: string, work: () => Promise<T>): Promise<T> {
  return whileSubmitting(url, async () => {
    using other = new DatabaseSync(`${folder}/awhina.sqlite`, { timeout: 10_000 });
    other.exec('BEGIN IMMEDIATE');
    try {
      return await work();
    } finally {
      other.exec('ROLLBACK');
    }
  });
}

export async function measurePagesMeanwhile(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  const server = await startServer({ DATA_DIR: folder.path, ...trustTheVisitor });
  try {
    const visit = () => visitPages(server.url);
    await visit();
    const quiet = [];
    const busy = [];
    const locked = [];
    for (let round = 0; round < rounds; round++) {
      quiet.push(await visit());
      busy.push(await whileSubmitting(server.url, visit));
      locked.push(await whileLocked(folder.path, server.url, visit));
    }
    const p99 = (visits: { p99: number }[]) => median(visits.map((one) => one.p99));
    return [
      { name: 'a page, p99 in ms', value: p99(quiet) },
      { name: 'a page while forms come in, p99 in ms', value: p99(busy) },
      { name: 'a page while the database is locked, p99 in ms', value: p99(locked) },
    ];
  } finally {
    await server.end();
  }
}
