import { type Browser, chromium, type Page } from '@playwright/test';
import { fillHelp, send } from '../../test/e2e/forms.ts';
import { hydrated } from '../../test/e2e/site.ts';
import { chromiumArgs, getChromium } from '../../test/support/chromium.ts';
import { startSite } from '../../test/support/site-server.ts';
import { type Finding, median } from '../report.ts';

/** Whatever else the machine does only makes a visit look slower; the median of these is told. */
const visits = 3;
const latencyMs = 400;

interface Condition {
  kilobits: number;
  /** How many times slower than this machine. */
  processor: number;
}

const conditions: readonly Condition[] = [400, 50].flatMap((kilobits) =>
  [1, 6].map((processor) => ({ kilobits, processor })),
);

/** In ms from the visit's start; the receipt's from the press. */
interface Times {
  'text shown': number;
  'can type': number;
  'can send': number;
  receipt: number;
  'script ready': number;
}

/**
 * /help by way of a slow link and processor, as Chromium makes them slow for whoever develops a page. The handshake of a
 * connection, and a signal that comes and goes, are not in it.
 */
export async function measureWeakLinks(): Promise<Finding[]> {
  const site = await startSite();
  const browser = await chromium.launch({ executablePath: getChromium(), args: chromiumArgs });
  const findings: Finding[] = [];
  const rows: string[][] = [];
  try {
    for (const condition of conditions) {
      const times: Times[] = [];
      for (let visit = 0; visit < visits; visit++) times.push(await visitHelp(browser, site.url, condition));
      const name = `${condition.kilobits} kbit/s, ${condition.processor}×`;
      const columns = Object.keys(times[0] ?? {}) as (keyof Times)[];
      if (rows.length === 0) rows.push(['/help, s', ...columns]);
      const middle = (column: keyof Times) => median(times.map((one) => one[column]));
      rows.push([name, ...columns.map((column) => (middle(column) / 1000).toFixed(2))]);
      findings.push({
        name: `${name}: can send, of can type`,
        value: median(times.map((one) => one['can send'] / one['can type'])),
        // Where every byte is waited for, what is sent after the first question shows.
        ...(condition.kilobits === 50 ? { atMost: 1.2 } : {}),
      });
    }
  } finally {
    await browser.close();
    await site.stop();
  }
  printTable(rows);
  return findings;
}

function printTable(rows: readonly string[][]): void {
  console.log();
  for (const [name = '', ...cells] of rows) {
    console.log(`  ${name.padEnd(18)}${cells.map((cell) => cell.padStart(14)).join('')}`);
  }
}

async function visitHelp(browser: Browser, url: string, condition: Condition): Promise<Times> {
  const early = await openSlowly(browser, url, condition);
  const times = await watch(early);
  await fillHelp(early);
  const pressed = performance.now();
  await send(early).click();
  await early.getByText('say this reference').waitFor({ timeout: 120_000 });
  const receipt = performance.now() - pressed;
  await early.context().close();

  // Another visit, because the first press may well have left the page before its script came.
  const patient = await openSlowly(browser, url, condition);
  await hydrated(patient);
  const ready = await patient.evaluate(() => performance.now());
  await patient.context().close();
  return { ...times, receipt, 'script ready': ready };
}

async function openSlowly(browser: Browser, url: string, { kilobits, processor }: Condition): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.addInitScript(noteMoments);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  const bytesPerSecond = (kilobits * 1000) / 8;
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: processor });
  await page.goto(`${url}/help`, { waitUntil: 'commit' });
  return page;
}

interface Moments {
  firstField?: number;
  typed?: number;
  canSend?: number;
}

/** Runs in the page, before anything of it: looks at every frame for what a visitor could do in it. */
function noteMoments(): void {
  const moments: Moments = {};
  Object.assign(globalThis, { moments });
  addEventListener('input', () => (moments.typed ??= performance.now()), true);
  const isSeen = (one: Element | null) => one !== null && one.getClientRects().length > 0;
  const look = () => {
    const form = document.querySelector<HTMLFormElement>('form#form');
    const field = form?.querySelector('input') ?? null;
    if (field && isSeen(field) && moments.firstField === undefined) {
      moments.firstField = performance.now();
      field.focus();
    }
    const button = form?.querySelector<HTMLButtonElement>('button[type=submit]') ?? null;
    // The browser itself would post it, or the script has taken the form over.
    const posts =
      form?.method === 'post' && form.getAttribute('action') === '/help' && button?.disabled === false;
    const root: object = document.getElementById('root') ?? {};
    const takenOver = form?.noValidate === true && Object.keys(root).some((key) => key.startsWith('__react'));
    if (isSeen(button) && (posts || takenOver)) moments.canSend ??= performance.now();
    if (moments.canSend === undefined || moments.firstField === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function watch(page: Page): Promise<Pick<Times, 'text shown' | 'can type' | 'can send'>> {
  const moment = (what: keyof Moments) =>
    page.waitForFunction((name) => (globalThis as { moments?: Moments }).moments?.[name], what);
  await moment('firstField');
  await page.keyboard.press('S');
  const [typed, canSend] = await Promise.all([moment('typed'), moment('canSend')]);
  const painted = await page.waitForFunction(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  return {
    'text shown': (await painted.jsonValue()) ?? Number.NaN,
    'can type': (await typed.jsonValue()) ?? Number.NaN,
    'can send': (await canSend.jsonValue()) ?? Number.NaN,
  };
}
