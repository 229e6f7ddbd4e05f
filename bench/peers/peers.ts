/**
 * `npm run bench:peers`: the site beside what else a trust might have its forms made with, in the same minutes on the
 * same core. Installs what it compares into a temporary folder; with `--folder FOLDER` there, and leaves it for the next
 * time. `--rounds N` for the medians.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { TestServer } from '../../test/support/server.ts';
import { cores, offTheServersCore } from '../throughput/cores.ts';
import type { Outcome } from '../throughput/load-client.ts';
import { startClient, startOnCore, startSiteOnCore } from '../throughput/measured-servers.ts';
import { fetchReady } from '../throughput/ready-answers.ts';
import { isBusy, measureSides, shareOfOthers } from '../throughput/side-by-side.ts';
import { findAddresses } from '../throughput/site-addresses.ts';
import { type Visit, visitsTo } from '../throughput/visits.ts';
import { installPeers, peerEnvironment, peerVersions, versionOf } from './install.ts';
import { nginxVersion, startNginx } from './nginx.ts';
import { type Measured, tableOf } from './table.ts';

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '7' }, folder: { type: 'string' } },
});
const rounds = Number(values.rounds);
const temporary = mkdtempSync(join(tmpdir(), 'awhina-peers-'));
const folder = values.folder === undefined ? join(temporary, 'site') : resolve(values.folder);
const running: TestServer[] = [];
const client = startClient();

/** What each of them is asked for, by the name it has in the table. */
type Answers = 'pages' | 'queries' | 'submissions';
interface Peer {
  server: TestServer;
  answers: readonly Answers[];
}

async function startPeers(): Promise<{ peers: Record<string, Peer>; visits: Record<Answers, Visit> }> {
  const peers: Record<string, Peer> = {};
  const add = async (name: string, answers: Answers[], starting: Promise<TestServer>) => {
    const server = await starting;
    running.push(server);
    peers[name] = { server, answers };
    return server;
  };
  const dataDir = (name: string) => {
    const path = join(temporary, name);
    mkdirSync(path);
    return path;
  };
  const ours = await add(
    '**Āwhina**',
    ['pages', 'queries', 'submissions'],
    startSiteOnCore(dataDir('awhina')),
  );
  const addresses = await findAddresses(ours.url);
  const asks = [ours.url, JSON.stringify([addresses.page, addresses.query])];
  const startBare = (name: string, ...grouping: string[]) =>
    startOnCore('bench/throughput/bare-server.ts', [dataDir(name), ...asks, ...grouping]);
  const startPeer = (name: string, script: string) =>
    startOnCore(join(folder, script), [], peerEnvironment(dataDir(name)));
  await add('bare `node:http`', ['pages', 'queries', 'submissions'], startBare('bare'));
  await add('bare, submissions of a moment together', ['submissions'], startBare('grouped', 'grouped'));
  const version = (name: string) => versionOf(folder, name).replace(/^\S+ /, '');
  const graphqlAlone: Answers[] = ['queries', 'submissions'];
  await add(`Apollo Server ${version('@apollo/server')}`, graphqlAlone, startPeer('apollo', 'apollo.mjs'));
  await add(`GraphQL Yoga ${version('graphql-yoga')}`, graphqlAlone, startPeer('yoga', 'yoga.mjs'));
  await add(
    `Next ${version('next')}`,
    ['pages', 'queries', 'submissions'],
    startPeer('next', 'next-start.mjs'),
  );
  const nginx = nginxVersion();
  if (nginx !== null) {
    const { path } = addresses.page;
    const page = await fetchReady(ours.url, addresses.page);
    await add(`nginx ${nginx}, the same bytes`, ['pages'], startNginx(join(temporary, 'nginx'), path, page));
  }
  return { peers, visits: visitsTo(addresses) };
}

async function measure(): Promise<void> {
  const { peers, visits } = await startPeers();
  const measured: Measured = new Map(Object.keys(peers).map((name) => [name, {}]));
  for (const what of ['pages', 'queries', 'submissions'] as const) {
    const asked = Object.entries(peers).filter(([, { answers }]) => answers.includes(what));
    const sides = Object.fromEntries(
      asked.map(([name, { server }]) => [name, { server, visit: visits[what] }]),
    );
    const outcomes: Record<string, Outcome[]> = await measureSides(client, sides, rounds);
    for (const [name, found] of Object.entries(outcomes))
      Object.assign(measured.get(name) ?? {}, { [what]: found });
  }
  const columns = { pages: 'pages (/help)', queries: 'form queries', submissions: 'submissions, durable' };
  const pinned = cores ? 'server and client on a core each' : 'nothing pinned';
  console.log(`\nNode ${process.version}; ${peerVersions(folder).join(', ')}`);
  console.log(`${cpus().length} cores, ${pinned}, medians of ${rounds} rounds by turns`);
  console.log(
    `\nAnswers a second, and beside bare:\n\n${tableOf(measured, columns, 'bare `node:http`', 'inTime')}`,
  );
  console.log(
    `\nThe same per second of processor that the server used:\n\n${tableOf(measured, columns, 'bare `node:http`', 'byProcessor')}`,
  );
  const others = shareOfOthers([...measured.values()].flatMap((row) => Object.values(row).flat()));
  if (isBusy(others)) console.log(`\nBUSY MACHINE: others had ${Math.round(others * 100)} % of the core`);
}

try {
  mkdirSync(folder, { recursive: true });
  installPeers(folder);
  await offTheServersCore(measure);
} finally {
  await client.end();
  await Promise.all(running.map((server) => server.end()));
  await rm(temporary, { recursive: true, force: true });
}
