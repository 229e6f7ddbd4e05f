import { AxeBuilder } from '@axe-core/playwright';
import { type BrowserContextOptions, test as base, expect, type Locator, type Page } from '@playwright/test';
import { type SiteServer, type SiteServerOptions, startSite } from '../support/site-server.ts';

export { expect };

/** A phone, a tablet, a desk. */
export const widths = [390, 768, 1280] as const;

export interface Watch {
  /** Complaints that this test provokes and expects, by what they contain. Each must come. */
  expectComplaint(part: string | RegExp): void;
}

interface TestFixtures {
  /** A page on which any complaint of the browser fails the test. */
  page: Page;
  watch: Watch;
  /** Other hosts that a page may ask. */
  otherHosts: readonly string[];
  openPage: (options?: BrowserContextOptions) => Promise<Page>;
  /** A server with other words or settings, for one test. It ends after the test's pages, which may still be loading. */
  ownSite: (options?: SiteServerOptions) => Promise<SiteServer>;
}

/**
 * Every test runs against the real server in a process of its own, and fails on any error or warning in the console,
 * any uncaught error, any breach of the content policy and any request to another host.
 */
export const test = base.extend<TestFixtures, { site: SiteServer }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's parts from here
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],

  watch: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const expected: (string | RegExp)[] = [];
      await use(
        Object.assign({ expectComplaint: (part: string | RegExp) => expected.push(part) }, { expected }),
      );
    },
    { auto: true },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: as above
  otherHosts: async ({}, use) => use([]),

  // biome-ignore lint/correctness/noEmptyPattern: as above
  ownSite: async ({}, use) => {
    const started: SiteServer[] = [];
    await use(async (options) => {
      const site = await startSite(options);
      started.push(site);
      return site;
    });
    for (const site of started) await site.stop();
  },

  // `ownSite` is named so that it ends after the pages.
  openPage: async ({ browser, site, watch, otherHosts, ownSite: _ownSite }, use) => {
    const complaints: string[] = [];
    const open = async (options: BrowserContextOptions = {}) => {
      const context = await browser.newContext({ baseURL: site.url, ...options });
      const page = await context.newPage();
      listen(page, [options.baseURL ?? site.url, 'data:', ...otherHosts], complaints);
      return page;
    };
    await use(open);
    const { expected } = watch as unknown as { expected: (string | RegExp)[] };
    const fits = (complaint: string, part: string | RegExp) =>
      typeof part === 'string' ? complaint.includes(part) : part.test(complaint);
    expect(complaints.filter((complaint) => !expected.some((part) => fits(complaint, part)))).toEqual([]);
    expect(expected.filter((part) => !complaints.some((complaint) => fits(complaint, part)))).toEqual([]);
    for (const context of browser.contexts()) await context.close();
  },

  page: async ({ openPage }, use) => {
    await use(await openPage());
  },
});

/** The same for a file whose site has other words or settings. */
export const testWith = (options: SiteServerOptions) =>
  test.extend<object, { site: SiteServer }>({
    site: [
      // biome-ignore lint/correctness/noEmptyPattern: as above
      async ({}, use) => {
        const site = await startSite(options);
        await use(site);
        await site.stop();
      },
      { scope: 'worker' },
    ],
  });

function listen(page: Page, allowed: readonly string[], complaints: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()))
      complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error}`));
  page.on('request', (request) => {
    const address = request.url();
    if (!allowed.some((start) => address.startsWith(start))) complaints.push(`request to ${address}`);
  });
}

/**
 * Waits until React has taken the whole page over, so that a test does what a visitor can only do after it. It does so
 * in slices, and only React itself knows when the last is done.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const root: object = document.getElementById('root') ?? {};
    const container = Object.entries(root).find(([key]) => key.startsWith('__reactContainer'))?.[1];
    const { child, memoizedState } = container?.stateNode.current ?? {};
    return child && !memoizedState.isDehydrated;
  });
}

/** Opens a page of the site, and waits until React has taken it over. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await hydrated(page);
}

/** Holds back every request to an address, until what it returns is called. */
export async function hold(page: Page, address: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

/** Axe finds nothing, at each width, in a window as high as the page: it takes what is half under the footer for too small. */
export async function expectNoViolations(page: Page, where: string, widths = [390, 1280]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 3_200 });
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    const { violations } = await axe.withTags(axeRules).analyze();
    const found = violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`);
    expect(found, `${where} at ${width} px`).toEqual([]);
  }
}

const axeRules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Without scrolling sideways. */
export const expectNoScrollSideways = async (page: Page, where?: string): Promise<void> => {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over, where).toBeLessThanOrEqual(0);
};

/** Two frames, after which anything that waits for one has had its turn. */
export const nextFrames = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** What opens the menu. Playwright knows no role for a `<summary>`; screen readers call it a button, and say whether it is open. */
export const menuButton = (page: Page): Locator => page.locator('header summary');
