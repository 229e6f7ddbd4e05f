import { type Browser, chromium, type Page } from '@playwright/test';
import { type PageName, pageNames, routes } from '../../src/model/routes.ts';
import { fillContact, fillHelp } from '../../test/e2e/forms.ts';
import { hydrated } from '../../test/e2e/site.ts';
import { chromiumArgs, getChromium } from '../../test/support/chromium.ts';
import { startSite } from '../../test/support/site-server.ts';
import type { Finding } from '../report.ts';

/** What a page costs a visitor who reads it and fills it in, up to pressing Send. */
interface PageFigures {
  /** The body in brotli, with the CSS that is inside. */
  htmlBytes: number;
  /** Body and headers: all that the first view waits for. */
  responseBytes: number;
  /** All scripts, including the worker's. */
  scriptBytes: number;
  /** All responses to a phone, with their headers. */
  allBytes: number;
  foreignRequests: number;
  cookies: number;
  storageEntries: number;
}

const nothing = { foreignRequests: 0, cookies: 0, storageEntries: 0 };

/** Ten packets of 1,460 bytes are what a server may send before it waits for the first acknowledgement (RFC 6928). */
export const firstFlight = 14_600;
export const htmlBudget = 14_000;

const allPages = { ...nothing, htmlBytes: htmlBudget, responseBytes: firstFlight };
const form = { ...allPages, scriptBytes: 76_000, allBytes: 110_000 };
const pageBudgets: Record<PageName, PageFigures> = {
  home: { ...allPages, scriptBytes: 66_000, allBytes: 130_000 },
  help: form,
  contact: form,
};

const names: Record<keyof PageFigures, string> = {
  htmlBytes: 'HTML with its CSS, bytes of brotli',
  responseBytes: 'HTML with the head of its answer, bytes',
  scriptBytes: 'JavaScript before a submit, bytes of brotli',
  allBytes: 'all bytes before Send, with pictures and heads',
  foreignRequests: 'requests to another host',
  cookies: 'cookies',
  storageEntries: 'storage entries',
};

export async function measurePages(): Promise<Finding[]> {
  const site = await startSite();
  const browser = await chromium.launch({ executablePath: getChromium(), args: chromiumArgs });
  try {
    const findings: Finding[] = [];
    for (const page of pageNames) {
      const figures = await measurePage(browser, site.url, page);
      for (const what of Object.keys(names) as (keyof PageFigures)[]) {
        const atMost = pageBudgets[page][what];
        findings.push({ name: `${page}: ${names[what]}`, value: figures[what], atMost });
      }
    }
    return findings;
  } finally {
    await browser.close();
    await site.stop();
  }
}

const use: Record<PageName, (page: Page) => Promise<void>> = {
  // Nothing to fill in; only pointing at a card would fetch the script of the forms.
  home: async () => {},
  help: fillHelp,
  contact: fillContact,
};

async function measurePage(browser: Browser, url: string, name: PageName): Promise<PageFigures> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 });
  const page = await context.newPage();
  const figures: PageFigures = { htmlBytes: 0, responseBytes: 0, scriptBytes: 0, allBytes: 0, ...nothing };
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  const begun = new Map<string, { type: string; headerBytes: number }>();
  const seen = new Set<string>();
  network.on('Network.responseReceived', ({ requestId, response }) => {
    begun.set(requestId, { type: response.mimeType, headerBytes: response.encodedDataLength });
    seen.add(response.url);
    if (!response.url.startsWith(url)) figures.foreignRequests++;
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const { type, headerBytes } = begun.get(requestId) ?? { type: '', headerBytes: 0 };
    figures.allBytes += encodedDataLength;
    const bodyBytes = encodedDataLength - headerBytes;
    if (type === 'text/html') {
      figures.htmlBytes += bodyBytes;
      figures.responseBytes += encodedDataLength;
    }
    if (type === 'text/javascript') figures.scriptBytes += bodyBytes;
  });
  await page.goto(url + routes[name].path);
  await hydrated(page);
  const started = name === 'home' ? null : page.waitForEvent('worker');
  await use[name](page);
  const worker = await started;
  // The DevTools session of the page does not see the worker fetch its script.
  if (worker && !seen.has(worker.url())) {
    const bytes = await sizeOf(worker.url());
    figures.scriptBytes += bytes;
    figures.allBytes += bytes;
  }
  await page.waitForLoadState('networkidle');

  figures.cookies = (await context.cookies()).length;
  figures.storageEntries = await page.evaluate(
    async () =>
      localStorage.length +
      sessionStorage.length +
      (await indexedDB.databases()).length +
      (await caches.keys()).length,
  );
  await context.close();
  return figures;
}

async function sizeOf(address: string): Promise<number> {
  const response = await fetch(address, { headers: { 'accept-encoding': 'br' } });
  return Number(response.headers.get('content-length'));
}
