/**
 * `npm run bench:peers`: the site beside Apollo Server and GraphQL Yoga, interleaved on the same core.
 * Installs the peers into a temporary folder, or with `--folder FOLDER` into one that stays for the next run. `--rounds N`
 * sets the number of rounds.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TestServer } from '../../test/support/server.ts';
import { describeBusyMachine, measureSides } from '../throughput/comparison.ts';
import { avoidServerCore, cores } from '../throughput/cores.ts';
import type { LoadResult } from '../throughput/load-client.ts';
import { startLoadClient, startOnCore, startSiteOnCore } from '../throughput/pinned-processes.ts';
import { findWorkloads, type Workloads } from '../throughput/workloads.ts';
import { installPeers, peerEnvironment, peerVersions, versionOf } from './install.ts';
import { type Measured, tableOf } from './table.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, folder: { type: 'string' } },
});
const rounds = Number(values.rounds);
const temporary = mkdtempSync(join(tmpdir(), 'awhina-peers-'));
const folder = values.folder === undefined ? join(temporary, 'site') : resolve(values.folder);
const running: TestServer[] = [];
const client = startLoadClient();

const columns = { pages: 'pages (/help)', queries: 'form queries', submissions: 'submissions, durable' };
type Column = keyof typeof columns;
const everything: Column[] = ['pages', 'queries', 'submissions'];
const graphqlAlone: Column[] = ['queries', 'submissions'];

interface Peer {
  server: TestServer;
  columns: readonly Column[];
}

async function startPeers(): Promise<{ peers: Record<string, Peer>; workloads: Workloads }> {
  const peers: Record<string, Peer> = {};
  const add = async (name: string, columns: Column[], starting: Promise<TestServer>) => {
    const server = await starting;
    running.push(server);
    peers[name] = { server, columns };
    return server;
  };
  const dataDir = (name: string) => {
    const path = join(temporary, name);
    mkdirSync(path);
    return path;
  };
  const site = await add('**Āwhina**', everything, startSiteOnCore(dataDir('awhina')));
  const workloads = await findWorkloads(site.url);
  const page = workloads.pages.request;
  const recorded = [site.url, JSON.stringify([page, workloads.queries.request])];
  const startPeer = (name: string, script: string) =>
    startOnCore(join(folder, script), [], peerEnvironment(dataDir(name)));
  const version = (name: string) => versionOf(folder, name).replace(/^\S+ /, '');
  await add(
    'bare `node:http`',
    everything,
    startOnCore('bench/throughput/bare-server.ts', [dataDir('bare'), ...recorded]),
  );
  await add(`Apollo Server ${version('@apollo/server')}`, graphqlAlone, startPeer('apollo', 'apollo.mjs'));
  await add(`GraphQL Yoga ${version('graphql-yoga')}`, graphqlAlone, startPeer('yoga', 'yoga.mjs'));
  return { peers, workloads };
}

async function measure(): Promise<void> {
  const { peers, workloads } = await startPeers();
  const measured: Measured = new Map(Object.keys(peers).map((name) => [name, {}]));
  for (const column of everything) {
    const sides = Object.entries(peers)
      .filter(([, peer]) => peer.columns.includes(column))
      .map(([name, { server }]) => [name, { server, workload: workloads[column] }]);
    const results: Record<string, LoadResult[]> = await measureSides(
      client,
      Object.fromEntries(sides),
      rounds,
    );
    for (const [name, found] of Object.entries(results))
      Object.assign(measured.get(name) ?? {}, { [column]: found });
  }
  const pinned = cores ? 'server and client on a core each' : 'nothing pinned';
  console.log(`\nNode ${process.version}; ${peerVersions(folder).join(', ')}`);
  console.log(`${cpus().length} cores, ${pinned}, medians of ${rounds} interleaved rounds`);
  const table = (by: 'inTime' | 'byProcessor') => tableOf(measured, columns, 'bare `node:http`', by);
  console.log(`\nResponses a second, and beside bare:\n\n${table('inTime')}`);
  console.log(`\nThe same per second of the server's processor time:\n\n${table('byProcessor')}`);
  const busy = describeBusyMachine([...measured.values()].flatMap((row) => Object.values(row).flat()));
  if (busy) console.log(`\n${busy}`);
}

try {
  mkdirSync(folder, { recursive: true });
  installPeers(folder);
  await avoidServerCore(measure);
} finally {
  await client.end();
  await Promise.all(running.map((server) => server.end()));
  await rm(temporary, { recursive: true, force: true });
}
