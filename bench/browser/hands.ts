import { type Browser, chromium, type Page } from '@playwright/test';
import { fillHelp, send, textbox } from '../../test/e2e/forms.ts';
import { hydrated, menuButton } from '../../test/e2e/site.ts';
import { chromiumArgs, getChromium } from '../../test/support/chromium.ts';
import { startLocal } from '../../test/support/local-server.ts';
import { startSite } from '../../test/support/site-server.ts';
import { measureInterleaved, ratios } from '../interleaved.ts';
import { type Finding, median, spreadOf } from '../report.ts';
import { plainPages } from './plain-pages.ts';

/**
 * How soon a slow phone answers a finger: Event Timing of one press at a processor slowed six times, beside a plain page with the
 * same control in the same round. The ratio is the bound, because the milliseconds are this machine's.
 */

const slowdown = 6;
const rounds = 5;
const mostTimesPlain = 2.5;

interface Control {
  path: string;
  prepare?: (page: Page) => Promise<void>;
  press: (page: Page) => Promise<void>;
  /** Shown once the press has had its effect. */
  done: string;
}

const controls: Record<string, Control> = {
  'first key in a field': {
    path: '/help',
    prepare: (page) => textbox(page, 'First name').focus(),
    press: (page) => page.keyboard.press('S'),
    done: 'input:focus',
  },
  tick: {
    path: '/help',
    press: (page) => page.getByRole('checkbox', { name: 'Housing' }).click({ noWaitAfter: true }),
    done: 'input[value=Housing]:checked',
  },
  Send: {
    path: '/help',
    prepare: fillHelp,
    press: (page) => send(page).click({ noWaitAfter: true }),
    done: '[type=submit][aria-busy]',
  },
  drawer: { path: '/', press: (page) => menuButton(page).click({ noWaitAfter: true }), done: 'dialog[open]' },
  'language switch': {
    path: '/help',
    press: (page) => page.getByRole('button', { name: 'Easy words' }).click({ noWaitAfter: true }),
    done: '[aria-current][lang=en-NZ-x-easy]',
  },
  'home to Get Help': {
    path: '/',
    press: (page) => page.locator('main a[href="/help"]').click({ noWaitAfter: true }),
    done: '#form',
  },
};

export async function measureHands(): Promise<Finding[]> {
  const site = await startSite();
  const plain = await startLocal(await plainPages(site.url));
  const browser = await chromium.launch({ executablePath: getChromium(), args: chromiumArgs });
  try {
    const findings = [await measureSlowLine(browser, site.url)];
    for (const [name, control] of Object.entries(controls)) {
      const { site: ours, plain: others } = await measureInterleaved(
        ['site', 'plain'] as const,
        rounds,
        (side) => pressOnce(browser, side === 'site' ? site.url : plain.url, control, side === 'site'),
      );
      const times = ratios(ours, others);
      findings.push({
        name: `${name}: times a plain page`,
        value: median(times),
        atMost: mostTimesPlain,
        spread: spreadOf(times),
        note: `${median(ours)} ms, plain ${median(others)} ms`,
      });
    }
    return findings;
  } finally {
    await browser.close();
    await plain.stop();
    await site.stop();
  }
}

/** Milliseconds of the longest event of the press, as Event Timing counts them: from the finger to the next paint. */
async function pressOnce(browser: Browser, url: string, control: Control, isOurs: boolean): Promise<number> {
  const page = await openPhone(browser);
  try {
    await page.goto(url + control.path);
    if (isOurs) await hydrated(page);
    await control.prepare?.(page);
    await page.waitForLoadState('networkidle');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.evaluate(() => {
      const seen: PerformanceEntry[] = [];
      const observer = new PerformanceObserver((list) => seen.push(...list.getEntries()));
      observer.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
      Object.assign(window, { seen });
    });
    await control.press(page);
    await page.waitForSelector(control.done, { state: 'attached' });
    // Event Timing tells of a press only after the paint.
    await page
      .waitForFunction(
        () =>
          Reflect.get(window, 'seen').some(({ name }: Event & { name: string }) =>
            /^(click|keyup)$/.test(name),
          ),
        null,
        { timeout: 5_000 },
      )
      .catch(() => {});
    return await page.evaluate(() => {
      const seen: (PerformanceEntry & { interactionId: number })[] = Reflect.get(window, 'seen');
      const presses = seen.filter(({ interactionId }) => interactionId > 0);
      // Shorter ones are not told of.
      return Math.max(16, ...presses.map(({ duration }) => duration));
    });
  } finally {
    await page.context().close();
  }
}

async function openPhone(browser: Browser): Promise<Page> {
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
  return (await browser.newContext(phone)).newPage();
}

/** The last largest paint of the home page at 50 kbit/s, which the line decides and not the machine. */
async function measureSlowLine(browser: Browser, url: string): Promise<Finding> {
  const page = await openPhone(browser);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 6_250,
    uploadThroughput: 6_250,
  });
  await page.goto(url);
  await page.waitForLoadState('networkidle');
  const value = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => done(list.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
  await page.context().close();
  return { name: 'home at 50 kbit/s: largest paint, ms', value: Math.round(value), atMost: 4_000 };
}
