import { execFileSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestServer } from '../../test/support/server.ts';
import { showNumber, showSpread } from '../report.ts';
import { temporaryDataDir } from '../temporary-data-dir.ts';
import { compareResults, describeBusyMachine, describeRate, measureSides } from './comparison.ts';
import { avoidServerCore } from './cores.ts';
import { startLoadClient, startSiteOnCore } from './pinned-processes.ts';
import { findWorkloads } from './workloads.ts';

/**
 * `npm run bench -- --compare REV`: the throughput of the site in this folder beside another commit, interleaved. This
 * folder must have been built; the other commit is checked out and built here.
 */

const rounds = 7;

export async function compareWith(revision: string): Promise<void> {
  const commit = git('rev-parse', '--short', '--verify', `${revision}^{commit}`);
  await using folder = temporaryDataDir();
  const checkout = join(folder.path, 'checkout');
  git('worktree', 'add', '--detach', checkout, commit);
  try {
    build(checkout);
    printRow(['', `old (${commit})`, 'new (here)', 'new of old', 'by processor', '']);
    await avoidServerCore(() => compare(folder.path, checkout));
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
  // With other packages the checkout would not be the site of that commit.
  if (lockOf(checkout) === lockOf('.')) symlinkSync(resolve('node_modules'), join(checkout, 'node_modules'));
  else run('ci', '--include=dev', '--prefer-offline');
  run('run', '--silent', 'build');
}

async function compare(dataDir: string, checkout: string): Promise<void> {
  const running: TestServer[] = [];
  const client = startLoadClient();
  const start = async (name: string, cwd: string) => {
    const server = await startSiteOnCore(join(dataDir, name), { cwd });
    running.push(server);
    return { server, workloads: await findWorkloads(server.url) };
  };
  try {
    const [older, newer] = [await start('old', checkout), await start('new', resolve('.'))];
    for (const kind of Object.keys(newer.workloads) as (keyof typeof newer.workloads)[]) {
      const sides = {
        old: { server: older.server, workload: older.workloads[kind] },
        new: { server: newer.server, workload: newer.workloads[kind] },
      };
      const results = await measureSides(client, sides, rounds);
      const { inTime, byProcessor } = compareResults(results.new, results.old);
      printRow([
        `${newer.workloads[kind].name} a second`,
        describeRate(results.old),
        describeRate(results.new),
        ...[inTime, byProcessor].map(({ value, spread }) => `${showNumber(value)} ${showSpread(spread)}`),
        describeBusyMachine([...results.new, ...results.old]) ?? '',
      ]);
    }
  } finally {
    await client.end();
    await Promise.all(running.map((server) => server.end()));
  }
}

const printRow = ([name = '', ...cells]: string[]) =>
  console.log(`  ${name.padEnd(26)}${cells.map((cell) => cell.padEnd(24)).join('')}`.trimEnd());
