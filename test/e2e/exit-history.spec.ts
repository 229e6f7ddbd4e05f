import type { Page } from '@playwright/test';
import type { NeutralPage } from '../support/neutral-page.ts';
import { test } from './back-forward-cache.ts';
import { fillHelp, send } from './forms.ts';
import { expect, visit } from './leaving.ts';

const exit = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Quick exit' });

interface Seen {
  at: number;
  shown: string;
}

/** Everything of ours that is painted or stands in the tab, be it for a single frame. */
async function watchForOurs(page: Page): Promise<Seen[]> {
  const seen: Seen[] = [];
  await page.exposeFunction('tellSeen', (what: Seen) => seen.push(what));
  await page.addInitScript(function look() {
    const shown = `${document.title} ${document.body?.innerText ?? ''}`;
    if (/Kōwhai|Get Help/.test(shown))
      (window as unknown as { tellSeen(what: Seen): void }).tellSeen({ at: Date.now(), shown });
    requestAnimationFrame(look);
  });
  return seen;
}

/** Ours was seen until then, which shows that the watching works, and not once after that. */
function expectSeenUntil(seen: Seen[], until: number): void {
  expect(seen.some(({ at }) => at <= until)).toBe(true);
  expect(seen.filter(({ at }) => at > until)).toEqual([]);
}

/** @returns when the exit was pressed. */
const leave = (page: Page) =>
  exit(page).evaluate((link) => {
    (link as HTMLElement).click();
    return Date.now();
  });

/** Asked of the page itself: Playwright does not hear of every page that comes out of the back-forward cache. */
const expectAt = (page: Page, url: string) =>
  expect.poll(() => page.evaluate(() => location.href).catch(() => 'on the way')).toBe(url);

/** To another page, which has come when the mark on this one is gone. */
async function arrive(page: Page, go: () => Promise<unknown>): Promise<void> {
  const mark = await page.evaluate(() => Object.assign(window, { left: Math.random() }).left);
  go().catch(() => {});
  const hasCome = () => page.evaluate((left) => !('left' in window && window.left === left), mark);
  await expect.poll(() => hasCome().catch(() => false)).toBe(true);
}

/** Whatever way the next person goes, there is the neutral page, or the one from before our pages. */
async function expectNothingOfOurs(
  page: Page,
  { url, earlierUrl }: NeutralPage,
  seen: Seen[],
  since: number,
): Promise<void> {
  const steps = [
    ['goBack', url],
    ['goBack', earlierUrl],
    ['goForward', url],
    ['goForward', url],
  ] as const;
  await expectAt(page, url);
  // What the list at the browser's Back button shows.
  const tab = await page.context().newCDPSession(page);
  const { entries } = await tab.send('Page.getNavigationHistory');
  expect(entries.map(({ title }) => title).filter((title) => /Kōwhai|Help/.test(title))).toEqual([]);
  for (const [way, address] of steps) {
    await arrive(page, () => page[way]({ waitUntil: 'commit' }));
    await expectAt(page, address);
  }
  expectSeenUntil(seen, since);
}

async function lookAround(page: Page, { earlierUrl }: NeutralPage): Promise<void> {
  await page.goto(earlierUrl);
  await visit(page, '/');
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await page.waitForURL('/help');
  await page.getByRole('banner').getByRole('link', { name: 'Contact Us' }).click();
  await page.waitForURL('/contact');
  await page.getByRole('banner').getByRole('link', { name: 'Get Help' }).click();
  await page.waitForURL('/help');
}

for (const cache of ['without', 'with'] as const) {
  test.describe(`${cache} a back-forward cache`, () => {
    const open = test.extend<{ visitor: Page }>({
      visitor: async ({ browser, caching, site }, use) => {
        const page = await (cache === 'with' ? caching : browser).newPage({ baseURL: site.url });
        await use(page);
        await page.context().close();
      },
    });

    open(
      'nothing of ours is behind Back or Forward after the exit, however many pages were seen',
      async ({ visitor: page, neutral }) => {
        const seen = await watchForOurs(page);
        await lookAround(page, neutral);
        const left = await leave(page);
        await expectNothingOfOurs(page, neutral, seen, left);
      },
    );

    open(
      'nothing of ours is behind Back or Forward where every page was loaded anew, and one answered a form',
      async ({ visitor: page, neutral }) => {
        const seen = await watchForOurs(page);
        await page.route('**/assets/**', () => {});
        await page.goto(neutral.earlierUrl);
        await page.goto('/', { waitUntil: 'commit' });
        await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click({ noWaitAfter: true });
        await page.waitForURL('/help', { waitUntil: 'commit' });
        const itself = page.getByRole('banner').getByRole('link', { name: 'Get Help' });
        await arrive(page, () => itself.click({ noWaitAfter: true }));
        await fillHelp(page);
        await send(page).click({ noWaitAfter: true });
        await page.locator('html[data-posted]').waitFor();
        const left = await leave(page);
        await expectNothingOfOurs(page, neutral, seen, left);
      },
    );
  });
}

test('an older Chromium, which cannot tell a cached page that it is being left, leads away all the same', async ({
  caching,
  site,
  neutral,
}) => {
  const page = await caching.newPage({ baseURL: site.url });
  await page.addInitScript(() => Object.defineProperty(window, 'navigation', { value: undefined }));
  const seen = await watchForOurs(page);
  await page.goto('/');
  await page.goto('/help');
  const left = await leave(page);
  await expectAt(page, neutral.url);
  expectSeenUntil(seen, left);
  await page.context().close();
});

test('nothing of ours is behind Back or Forward after the exit from the middle of a visit, with pages of ours ahead', async ({
  page,
  neutral,
}) => {
  const seen = await watchForOurs(page);
  await lookAround(page, neutral);
  for (const path of ['/contact', '/help', '/']) {
    await page.goBack();
    await page.waitForURL(path);
  }
  const left = await leave(page);
  await expectNothingOfOurs(page, neutral, seen, left);
});

test('a visit of one page leaves no entry behind but the neutral one', async ({ page, neutral }) => {
  await page.goto('/help');
  await exit(page).click();
  await expectAt(page, neutral.url);
  expect(await page.evaluate(() => history.length)).toBe(2);
});

test('the page is covered in the same moment, and the first thing asked for is the neutral page', async ({
  page,
  neutral,
}) => {
  await lookAround(page, neutral);
  await page.waitForLoadState('networkidle');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const shown = await exit(page).evaluate((link) => {
    (link as HTMLElement).click();
    return [document.title, document.body.innerText];
  });
  expect(shown).toEqual(['Loading', 'Loading']);
  await expectAt(page, neutral.url);
  expect(asked[0]).toBe(neutral.url);
});

test('where the browser does not step back, the neutral page takes the place of this one', async ({
  page,
  neutral,
}) => {
  await page.addInitScript(() => {
    history.go = () => {};
  });
  await lookAround(page, neutral);
  await exit(page).click();
  await expectAt(page, neutral.url);
  expect(await page.evaluate(() => history.length)).toBe(6);
});

test('offline the page is covered, and nothing of ours is behind it when the link is back', async ({
  page,
  site,
  neutral,
}) => {
  const seen = await watchForOurs(page);
  await lookAround(page, neutral);
  // What the page fetches once it is painted would fail too.
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  const left = await leave(page);
  await expect.poll(() => page.url()).not.toContain(site.url);
  await page.context().setOffline(false);
  await page.reload();
  await expectNothingOfOurs(page, neutral, seen, left);
});
