import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { visit } from '../../test/support/attackers.ts';
import { startServer } from '../../test/support/server.ts';
import { trustTheVisitor } from '../../test/support/visitor.ts';
import { temporaryDataDir } from '../data-dir.ts';
import { type Finding, median } from '../report.ts';

/** What a visitor notices while somebody else attacks. By turns, quiet and not, because this machine has its moods. */

const rounds = 5;
const visitsARound = 60;
const attacks = {
  idle: '1,500 idle connections',
  junk: 'junk posts',
  pipelining: 'pipelining without reading',
  favicon: 'hammering the favicon',
  readiness: 'hammering readiness',
  log: 'flooding the log',
};

interface Visits {
  ms: number;
  notServed: number;
}

/** Each on a connection of its own, one after the other. */
async function visitPages(url: string): Promise<Visits> {
  const times: number[] = [];
  let notServed = 0;
  for (let n = 0; n < visitsARound; n++) {
    const start = performance.now();
    const status = await visit(url, '/help', { 'x-forwarded-for': '192.0.2.80' }).catch(() => 0);
    times.push(performance.now() - start);
    if (status !== 200) notServed++;
  }
  return { ms: median(times), notServed };
}

async function whileAttacked<T>(kind: string, url: string, work: () => Promise<T>): Promise<T> {
  const attacker = spawn(process.execPath, ['bench/attacks/attacker.ts', kind, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(attacker, 'exit');
  try {
    await once(attacker.stdout, 'data');
    return await work();
  } finally {
    attacker.kill();
    await ended;
  }
}

/** How much longer a page takes, and how many visits were not served. */
export async function measureAttacks(): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [kind, name] of Object.entries(attacks)) {
    await using folder = temporaryDataDir();
    const server = await startServer({ DATA_DIR: folder.path, ...trustTheVisitor }, { openFiles: 1_024 });
    try {
      await visitPages(server.url);
      const ratios: number[] = [];
      let notServed = 0;
      for (let round = 0; round < rounds; round++) {
        const quiet = await visitPages(server.url);
        const attacked = await whileAttacked(kind, server.url, () => visitPages(server.url));
        ratios.push(attacked.ms / quiet.ms);
        notServed += quiet.notServed + attacked.notServed;
        await pause(500);
      }
      findings.push(
        { name: `${name}: page, ratio to quiet`, value: median(ratios), atMost: 2 },
        { name: `${name}: visits not served`, value: notServed, atMost: 0 },
      );
    } finally {
      await server.end();
    }
  }
  return findings;
}
