import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';
import { type PageName, pageNames, routes } from '../../src/model/routes.ts';
import { chromiumArgs, getWholeChromium } from '../../test/support/chromium.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startSite } from '../../test/support/site-server.ts';
import type { Finding } from '../report.ts';

/** Other work on the machine can only lower a score, so the best of a few runs is closest to the truth. */
const maxRuns = 9;

/** Lighthouse's mobile run of one page: scores from 0 to 100. */
type Scores = Record<'performance' | 'accessibility' | 'best-practices' | 'seo', number>;

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
      for (const [what, value] of Object.entries(scores))
        findings.push({ name: `${page}: ${what}`, value, atLeast: 100 });
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
  const { categories, audits, runtimeError } = result.lhr;
  if (runtimeError) console.error(`${page}: ${runtimeError.message}`);
  // The audits that cost a point are named, so that a 99 can be mended without another run by hand.
  for (const { title, score, auditRefs } of Object.values(categories)) {
    if (score === 1) continue;
    const lost = auditRefs.filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1);
    console.error(`${page}, ${title}: ${lost.map(({ id }) => id).join(', ')}`);
  }
  const score = (category: keyof Scores) => Math.round((categories[category]?.score ?? 0) * 100);
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    'best-practices': score('best-practices'),
    seo: score('seo'),
  };
}
