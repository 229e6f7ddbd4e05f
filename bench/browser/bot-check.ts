import { setTimeout as pause } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { work } from '../../src/server/bot-check/altcha.ts';
import { chromiumArgs, getChromium } from '../../test/support/chromium.ts';
import { startServer } from '../../test/support/server.ts';
import { temporaryDataDir } from '../data-dir.ts';
import type { Finding } from '../report.ts';

/** A cheap phone, as a part of this machine's time: the browser is stopped for five turns of six. */
const slowness = 6;
const turnMs = 10;

/** Chromium's own throttling slows the page's main thread alone, and key derivation runs beside it. */
async function slowDown(pids: number[], until: Promise<unknown>): Promise<void> {
  const signalAll = (signal: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, signal);
  };
  let done = false;
  const finish = () => {
    done = true;
  };
  until.then(finish, finish);
  while (!done) {
    signalAll('SIGSTOP');
    await pause(turnMs * (slowness - 1));
    signalAll('SIGCONT');
    await pause(turnMs);
  }
}

/** The most work a challenge can ask for, with the browser's own key derivation. */
const solveHardest = async ({ cost, tries }: { cost: number; tries: number }) => {
  const start = performance.now();
  const salt = crypto.getRandomValues(new Uint8Array(16));
  for (let counter = 0; counter < tries; counter++) {
    const password = new Uint8Array([...salt, counter]);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: cost }, key, 256);
  }
  return performance.now() - start;
};

/** How long the bot check's work takes a browser, here and on something like a cheap phone. */
export async function measureBotCheck(): Promise<Finding[]> {
  await using dataDir = temporaryDataDir();
  const server = await startServer({ DATA_DIR: dataDir.path });
  const browser = await chromium.launchPersistentContext('', {
    executablePath: getChromium(),
    args: chromiumArgs,
  });
  try {
    const page = await browser.newPage();
    await page.goto(server.url);
    const renderers = await rendererPids();
    const findings: Finding[] = [];
    for (const [name, times] of [
      ['hardest challenge', 1],
      ['hardest for a crowded address', work.hardFactor],
    ] as const) {
      const job = { cost: work.cost, tries: times * work.counter.to };
      const here = await page.evaluate(solveHardest, job);
      const slowed = page.evaluate(solveHardest, job);
      await slowDown(renderers, slowed);
      findings.push(
        { name: `${name} here, ms`, value: Math.round(here) },
        { name: `${name}, ${slowness} times slower, ms`, value: Math.round(await slowed) },
      );
    }
    return findings;
  } finally {
    await browser.close();
    await server.end();
  }
}

async function rendererPids(): Promise<number[]> {
  const { readdirSync, readFileSync } = await import('node:fs');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const isRenderer = readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('--type=renderer');
        return isRenderer && isDescendant(pid, readFileSync);
      } catch {
        return false;
      }
    });
}

/** Only browsers this process started. */
function isDescendant(pid: number, read: typeof import('node:fs').readFileSync): boolean {
  for (let at = pid; at > 1; ) {
    if (at === process.pid) return true;
    at = Number(/PPid:\s+(\d+)/.exec(read(`/proc/${at}/status`, 'utf8') as string)?.[1]);
  }
  return false;
}
