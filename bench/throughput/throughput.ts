import type { TestServer } from '../../test/support/server.ts';
import { temporaryDataDir } from '../data-dir.ts';
import { type Finding, showNumber, showSpread } from '../report.ts';
import { offTheServersCore } from './cores.ts';
import type { Outcome } from './load-client.ts';
import { type Client, startClient, startOnCore, startSiteOnCore } from './measured-servers.ts';
import {
  compareOutcomes,
  describeRate,
  isBusy,
  measureSides,
  shareOfOthers,
  workOfClient,
} from './side-by-side.ts';
import { findAddresses, type SiteAddresses } from './site-addresses.ts';
import { type Visit, visitsTo } from './visits.ts';

/** Times are compared within one run only: ours beside bare ones, by turns, and the median of the ratios. */
const rounds = 7;

interface Servers {
  ours: TestServer;
  bare: TestServer;
  /** Bare as well, but all submissions of one moment share a sync. */
  grouped: TestServer;
}
type Bound = Partial<Record<'bare' | 'grouped', { atLeast?: number }>>;

export function measureThroughput(): Promise<Finding[]> {
  return offTheServersCore(() =>
    withPinnedServers(async (servers, addresses, client) => {
      const visits = visitsTo(addresses);
      const bounds: [Visit, Bound][] = [
        [visits.pages, { bare: { atLeast: 0.5 } }],
        [visits.unchanged, { bare: {} }],
        [visits.pictures, { bare: { atLeast: 0.5 } }],
        [visits.scripts, { bare: { atLeast: 0.5 } }],
        [visits.queries, { bare: { atLeast: 0.45 } }],
        [visits.submissions, { bare: { atLeast: 0.75 }, grouped: { atLeast: 0.3 } }],
      ];
      const findings: Finding[] = [];
      for (const [visit, bound] of bounds) findings.push(...(await compare(visit, bound, servers, client)));
      return findings;
    }),
  );
}

const besides = { bare: 'of bare', grouped: 'of bare, grouped' };

/** A line for each of the bare servers it is measured beside. */
async function compare(visit: Visit, bound: Bound, servers: Servers, client: Client): Promise<Finding[]> {
  const beside = Object.keys(bound) as (keyof Bound)[];
  const sides = ['ours' as const, ...beside].map((name) => [name, { server: servers[name], visit }]);
  const outcomes = await measureSides(client, Object.fromEntries(sides), rounds);
  return beside.map((name) => ({
    name: `${visit.name}, ${besides[name]}`,
    ...bound[name],
    ...describeRatio(visit, outcomes.ours ?? [], outcomes[name] ?? []),
  }));
}

/**
 * What is bounded is the ratio in time. Where somebody else has the core that tells of them, so there it is the one by
 * processor time; but for submissions, which wait for the disk as well.
 */
function describeRatio({ load }: Visit, ours: Outcome[], bare: Outcome[]) {
  const { inTime, byProcessor } = compareOutcomes(ours, bare);
  const others = shareOfOthers([...ours, ...bare]);
  const decides = isBusy(others) && load.kind !== 'submission' ? byProcessor : inTime;
  const rest = decides === inTime ? byProcessor : inTime;
  const notes = [
    `${decides === inTime ? 'by processor' : 'in time'} ${showNumber(rest.value)} ${showSpread(rest.spread)}`,
    `a second ${describeRate(ours)} beside ${describeRate(bare)}`,
    `client ${showNumber(workOfClient(bare))} of bare`,
  ];
  if (isBusy(others)) notes.push(`BUSY MACHINE: others had ${Math.round(others * 100)} % of the core`);
  return { ...decides, beside: notes.join('; ') };
}

async function withPinnedServers<T>(
  work: (servers: Servers, addresses: SiteAddresses, client: Client) => Promise<T>,
): Promise<T> {
  await using dataDir = temporaryDataDir();
  await using bareDir = temporaryDataDir();
  await using groupedDir = temporaryDataDir();
  const running: TestServer[] = [];
  const start = async (server: Promise<TestServer>) => {
    running.push(await server);
    return server;
  };
  const client = startClient();
  try {
    const ours = await start(startSiteOnCore(dataDir.path));
    const addresses = await findAddresses(ours.url);
    const { page, picture, script, query } = addresses;
    const asks = JSON.stringify([page, picture, script, query]);
    const startBare = (folder: string, ...grouping: string[]) =>
      start(startOnCore('bench/throughput/bare-server.ts', [folder, ours.url, asks, ...grouping]));
    const bare = await startBare(bareDir.path);
    const grouped = await startBare(groupedDir.path, 'grouped');
    return await work({ ours, bare, grouped }, addresses, client);
  } finally {
    await client.end();
    await Promise.all(running.map((server) => server.end()));
  }
}
