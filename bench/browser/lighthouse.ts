import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { type PageName, pageNames, routes } from '../../src/model/routes.ts';
import { chromiumArgs, getWholeChromium } from '../../test/support/chromium.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startSite } from '../../test/support/site-server.ts';
import type { Finding } from '../report.ts';

/** Other work on the machine can only lower a score, so the best of a few runs is closest to the truth. */
const maxRuns = 9;

/** Lighthouse's mobile run of one page: scores from 0 to 100, times in ms of the slow phone that Lighthouse simulates. */
interface Scores {
  performance: number;
  accessibility: number;
  'best practices': number;
  SEO: number;
  'first paint, ms': number;
  'largest paint, ms': number;
  'blocking, ms': number;
  'layout shift': number;
  /** By Lighthouse's own benchmark. Below 1,000, the simulated phone is slower than intended. */
  'speed of this machine': number;
}

/** The times have no bound: the performance score is made from them. */
const bounds: Partial<Record<keyof Scores, Pick<Finding, 'atLeast' | 'atMost'>>> = {
  performance: { atLeast: 100 },
  accessibility: { atLeast: 100 },
  'best practices': { atLeast: 100 },
  SEO: { atLeast: 100 },
  'layout shift': { atMost: 0 },
};

export async function measureLighthouse(): Promise<Finding[]> {
  // Lighthouse's SEO audit expects the canonical address to be the visited one.
  const port = await freePort();
  const site = await startSite({ env: { PORT: String(port), PUBLIC_URL: `http://localhost:${port}` } });
  const debuggingPort = await freePort();
  const browser = await chromium.launch({
    executablePath: getWholeChromium(),
    args: [...chromiumArgs, `--remote-debugging-port=${debuggingPort}`],
  });
  try {
    const findings: Finding[] = [];
    for (const page of pageNames) {
      const scores = await bestRun(debuggingPort, site.url, page);
      for (const what of Object.keys(scores) as (keyof Scores)[])
        findings.push({ name: `${page}: ${what}`, value: scores[what], ...bounds[what] });
    }
    return findings;
  } finally {
    await browser.close();
    await site.stop();
  }
}

async function bestRun(...args: Parameters<typeof run>): Promise<Scores> {
  let best = await run(...args);
  for (let runs = 1; runs < maxRuns && best.performance < 100; runs++) {
    const next = await run(...args);
    if (next.performance > best.performance) best = next;
  }
  return best;
}

async function run(debuggingPort: number, url: string, page: PageName): Promise<Scores> {
  const flags = { port: debuggingPort, output: 'json', logLevel: 'error' } as const;
  const result = await lighthouse(url + routes[page].path, flags);
  if (!result) throw new Error(`Lighthouse had no result for ${page}`);
  const { categories, audits, runtimeError, environment } = result.lhr;
  if (runtimeError) console.error(`${page}: ${runtimeError.message}`);
  // The audits that cost a point are named, so that a 99 can be mended without another run by hand.
  for (const { title, score, auditRefs } of Object.values(categories)) {
    if (score === 1) continue;
    const lost = auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1);
    console.error(`${page}, ${title}: ${lost.map(({ id }) => id).join(', ')}`);
  }
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100);
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN;
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best practices': score('best-practices'),
    SEO: score('seo'),
    'first paint, ms': Math.round(value('first-contentful-paint')),
    'largest paint, ms': Math.round(value('largest-contentful-paint')),
    'blocking, ms': Math.round(value('total-blocking-time')),
    'layout shift': value('cumulative-layout-shift'),
    'speed of this machine': Math.round(environment.benchmarkIndex),
  };
}
