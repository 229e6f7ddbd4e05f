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
}

export function measureThroughput(): Promise<Finding[]> {
  return avoidServerCore(() =>
    withServers(async (servers, workloads, client) => {
      // About a fifth below what was measured: docs/decisions/0217.
      const measured: [Workload, number?][] = [
        [workloads.pages, 0.4],
        [workloads.unchanged],
        [workloads.pictures, 0.4],
        [workloads.scripts, 0.5],
        [workloads.queries, 0.15],
        [workloads.submissions, 0.4],
      ];
      const findings: Finding[] = [];
      for (const [workload, atLeast] of measured)
        findings.push(await compare(workload, atLeast, servers, client));
      return findings;
    }),
  );
}

async function compare(
  workload: Workload,
  atLeast: number | undefined,
  { site, bare }: Servers,
  client: LoadClient,
): Promise<Finding> {
  const sides = { site: { server: site, workload }, bare: { server: bare, workload } };
  const results = await measureSides(client, sides, rounds);
  const bound = atLeast === undefined ? {} : { atLeast };
  return {
    ...{ name: `${workload.name}, of bare`, ...bound },
    ...describeRatio(workload, results.site, results.bare),
  };
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
    const recorded = [bareDir.path, site.url, requests];
    const bare = await start(startOnCore('bench/throughput/bare-server.ts', recorded));
    return await work({ site, bare }, workloads, client);
  } finally {
    await client.end();
    await Promise.all(running.map((server) => server.end()));
  }
}
