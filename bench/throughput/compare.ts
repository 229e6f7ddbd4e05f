import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestServer } from '../../test/support/server.ts';
import { temporaryDataDir } from '../data-dir.ts';
import { showNumber, showSpread } from '../report.ts';
import { offTheServersCore } from './cores.ts';
import { startClient, startSiteOnCore } from './measured-servers.ts';
import { compareOutcomes, describeRate, isBusy, measureSides, shareOfOthers } from './side-by-side.ts';
import { findAddresses } from './site-addresses.ts';
import { visitsTo } from './visits.ts';

/**
 * `npm run bench -- --compare REV`: what the site answers a second as it is in this folder, beside what it did at
 * another commit, both in the same minutes. This folder must have been built; the other one is built here.
 */

const rounds = 7;

export async function compareWith(revision: string): Promise<void> {
  const commit = git('rev-parse', '--short', '--verify', `${revision}^{commit}`);
  await using folder = temporaryDataDir();
  const checkout = join(folder.path, 'checkout');
  git('worktree', 'add', '--detach', checkout, commit);
  try {
    build(checkout);
    printRows(['', `old (${commit})`, 'new (here)', 'new of old', 'by processor', '']);
    await offTheServersCore(() => compare(folder.path, checkout));
  } finally {
    git('worktree', 'remove', '--force', checkout);
  }
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();

function build(checkout: string): void {
  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const run = (...args: string[]) =>
    execFileSync('npm', args, {
      cwd: checkout,
      env: { ...process.env, NODE_ENV: 'production' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  // The same packages are there already; others would be another site than that commit was.
  if (lockOf(checkout) === lockOf('.')) symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  else run('ci', '--include=dev', '--prefer-offline');
  run('run', '--silent', 'build');
}

async function compare(dataDir: string, checkout: string): Promise<void> {
  const running: TestServer[] = [];
  const client = startClient();
  const start = async (name: string, cwd: string) => {
    const server = await startSiteOnCore(join(dataDir, name), cwd);
    running.push(server);
    return server;
  };
  try {
    const [older, newer] = [await start('old', checkout), await start('new', resolve('.'))];
    const [olderVisits, newerVisits] = [await visitsOf(older), await visitsOf(newer)];
    for (const kind of Object.keys(newerVisits) as (keyof typeof newerVisits)[]) {
      const sides = {
        old: { server: older, visit: olderVisits[kind] },
        new: { server: newer, visit: newerVisits[kind] },
      };
      const outcomes = await measureSides(client, sides, rounds);
      const { inTime, byProcessor } = compareOutcomes(outcomes.new, outcomes.old);
      const others = shareOfOthers([...outcomes.new, ...outcomes.old]);
      printRows([
        `${newerVisits[kind].name} a second`,
        describeRate(outcomes.old),
        describeRate(outcomes.new),
        ...[inTime, byProcessor].map(({ value, spread }) => `${showNumber(value)} ${showSpread(spread)}`),
        isBusy(others) ? `BUSY MACHINE: others had ${Math.round(others * 100)} % of the core` : '',
      ]);
    }
  } finally {
    await client.end();
    await Promise.all(running.map((server) => server.end()));
  }
}

const visitsOf = async ({ url }: TestServer) => visitsTo(await findAddresses(url));

const printRows = ([name = '', ...cells]: string[]) =>
  console.log(`  ${name.padEnd(26)}${cells.map((cell) => cell.padEnd(24)).join('')}`.trimEnd());
