import type { TestServer } from '../../test/support/server.ts';
import { type Finding, showNumber, showSpread } from '../report.ts';
import { temporaryDataDir } from '../temporary-data-dir.ts';
import {
  clientShare,
  compareResults,
  describeBusyMachine,
  describeRate,
  measureSides,
} from './comparison.ts';
import { avoidServerCore } from './cores.ts';
import type { LoadResult } from './load-client.ts';
import { type LoadClient, startLoadClient, startOnCore, startSiteOnCore } from './pinned-processes.ts';
import { findWorkloads, type Workload, type Workloads } from './workloads.ts';

/** Times are compared within one run only: the site and the bare servers interleaved, and the median of the ratios. */
const rounds = 7;

interface Servers {
  site: TestServer;
  bare: TestServer;
  /** Bare as well, but all submissions of one iteration of the event loop share a transaction and its sync. */
  grouped: TestServer;
}
type Bounds = Partial<Record<'bare' | 'grouped', { atLeast?: number }>>;

export function measureThroughput(): Promise<Finding[]> {
  return avoidServerCore(() =>
    withServers(async (servers, workloads, client) => {
      const measured: [Workload, Bounds][] = [
        [workloads.pages, { bare: { atLeast: 0.5 } }],
        [workloads.unchanged, { bare: {} }],
        [workloads.pictures, { bare: { atLeast: 0.5 } }],
        [workloads.scripts, { bare: { atLeast: 0.5 } }],
        [workloads.queries, { bare: { atLeast: 0.45 } }],
        [workloads.submissions, { bare: { atLeast: 0.75 }, grouped: { atLeast: 0.3 } }],
      ];
      const findings: Finding[] = [];
      for (const [workload, bounds] of measured)
        findings.push(...(await compare(workload, bounds, servers, client)));
      return findings;
    }),
  );
}

const baselineNames = { bare: 'of bare', grouped: 'of bare, grouped' };

/** A finding for each bare server that has a bound. */
async function compare(
  workload: Workload,
  bounds: Bounds,
  servers: Servers,
  client: LoadClient,
): Promise<Finding[]> {
  const baselines = Object.keys(bounds) as (keyof Bounds)[];
  const sides = ['site' as const, ...baselines].map((name) => [name, { server: servers[name], workload }]);
  const results = await measureSides(client, Object.fromEntries(sides), rounds);
  return baselines.map((name) => ({
    name: `${workload.name}, ${baselineNames[name]}`,
    ...bounds[name],
    ...describeRatio(workload, results.site ?? [], results[name] ?? []),
  }));
}

/**
 * The bound holds for the ratio in time. On a busy machine that ratio depends on the other processes, so the ratio by
 * processor time is bounded instead; except for submissions, which wait for the disk as well.
 */
function describeRatio({ submissions }: Workload, site: LoadResult[], bare: LoadResult[]) {
  const { inTime, byProcessor } = compareResults(site, bare);
  const busy = describeBusyMachine([...site, ...bare]);
  const bounded = busy && submissions === undefined ? byProcessor : inTime;
  const other = bounded === inTime ? byProcessor : inTime;
  const notes = [
    `${bounded === inTime ? 'by processor' : 'in time'} ${showNumber(other.value)} ${showSpread(other.spread)}`,
    `a second ${describeRate(site)} beside ${describeRate(bare)}`,
    `client ${showNumber(clientShare(bare))} of bare`,
  ];
  if (busy) notes.push(busy);
  return { ...bounded, note: notes.join('; ') };
}

async function withServers<T>(
  work: (servers: Servers, workloads: Workloads, client: LoadClient) => Promise<T>,
): Promise<T> {
  await using dataDir = temporaryDataDir();
  await using bareDir = temporaryDataDir();
  await using groupedDir = temporaryDataDir();
  const running: TestServer[] = [];
  const start = async (starting: Promise<TestServer>) => {
    running.push(await starting);
    return starting;
  };
  const client = startLoadClient();
  try {
    const site = await start(startSiteOnCore(dataDir.path));
    const workloads = await findWorkloads(site.url);
    const { pages, pictures, scripts, queries } = workloads;
    const requests = JSON.stringify([pages, pictures, scripts, queries].map(({ request }) => request));
    const startBare = (folder: string, ...grouping: string[]) =>
      start(startOnCore('bench/throughput/bare-server.ts', [folder, site.url, requests, ...grouping]));
    const bare = await startBare(bareDir.path);
    const grouped = await startBare(groupedDir.path, 'grouped');
    return await work({ site, bare, grouped }, workloads, client);
  } finally {
    await client.end();
    await Promise.all(running.map((server) => server.end()));
  }
}
