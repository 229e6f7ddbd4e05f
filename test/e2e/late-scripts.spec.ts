import type { Page } from '@playwright/test';
import { startHalfPage } from '../support/half-page.ts';
import { fillContact, send, textbox } from './forms.ts';
import { expect, hydrated, test } from './leaving.ts';
import { hold, nextFrames, visit } from './site.ts';

/** What a browser may keep from a site: that it painted, that anybody looks, that time passes. */
type Withheld = 'paint' | 'timers';

/** Set up before the page's own script, in a browser that tells nothing of these. */
async function withhold(page: Page, ...withheld: Withheld[]): Promise<void> {
  await page.addInitScript((what: Withheld[]) => {
    if (what.includes('paint')) PerformanceObserver.prototype.observe = () => {};
    if (!what.includes('timers')) return;
    const { setTimeout } = window;
    const late: TimerHandler[] = [];
    // Those that are meant to come much later; React's own are short.
    const patient = (handler: TimerHandler, ms = 0) =>
      ms < 1_000 ? Reflect.apply(setTimeout, window, [handler, ms]) : late.push(handler);
    Object.assign(window, {
      setTimeout: patient,
      letTimePass() {
        for (const handler of late.splice(0)) (handler as () => void)();
      },
    });
  }, withheld);
}

/** The addresses of scripts and style sheets that were asked for so far. */
function watchScripts(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (['script', 'stylesheet'].includes(request.resourceType()))
      asked.push(new URL(request.url()).pathname);
  });
  return asked;
}

for (const path of ['/', '/help', '/contact']) {
  test(`${path} asks for its scripts after it was painted, and never twice`, async ({ page }) => {
    // On a machine that is slow enough they would not wait for the paint.
    await withhold(page, 'timers');
    const asked = watchScripts(page);
    await visit(page, path);
    const { paint, first } = await page.evaluate(() => ({
      paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
      first: Math.min(
        ...performance
          .getEntriesByType('resource')
          .filter(({ name }) => /\.(js|css)$/.test(name))
          .map(({ startTime }) => startTime),
      ),
    }));
    expect(first).toBeGreaterThanOrEqual(paint);
    await page.keyboard.press('Tab');
    await page.mouse.click(1, 1);
    await nextFrames(page);
    expect(asked).toEqual([...new Set(asked)]);
    await expect(page.locator('template')).toHaveCount(0);
  });
}

const starts: Record<string, (page: Page) => Promise<unknown>> = {
  'a finger or a mouse': (page) => page.mouse.click(1, 1),
  'a key': (page) => page.keyboard.press('a'),
  'the focus, as a screen reader moves it': (page) => textbox(page, 'Subject').focus(),
  'time alone, in a browser that never says that it painted': (page) =>
    page.evaluate(() => Reflect.get(window, 'letTimePass')()),
  'leaving its tab': (page) =>
    page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { get: () => true });
      document.dispatchEvent(new Event('visibilitychange'));
    }),
};

for (const [by, start] of Object.entries(starts)) {
  test(`a page that was not painted yet starts its scripts at ${by}`, async ({ page }) => {
    await withhold(page, 'paint', 'timers');
    const asked = watchScripts(page);
    await page.goto('/contact');
    await nextFrames(page);
    expect(asked).toEqual([]);
    await start(page);
    await hydrated(page);
  });
}

test('in a browser without PerformanceObserver the scripts start too, without an error', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PerformanceObserver'));
  await visit(page, '/contact');
});

test('in a background tab the scripts start when the page is complete', async ({ page }) => {
  await withhold(page, 'paint', 'timers');
  await page.addInitScript(() => Object.defineProperty(document, 'hidden', { get: () => true }));
  await visit(page, '/contact');
});

test('what is typed into a page that has arrived in half stays, and all its scripts start with the rest', async ({
  openPage,
  site,
}) => {
  // The place where the scripts wait is there, and none of them yet.
  const half = await startHalfPage(site.url, '/contact', '<template id="scripts">');
  const page = await openPage({ baseURL: half.url });
  const asked = watchScripts(page);
  await page.goto('/contact', { waitUntil: 'commit' });
  await page.locator('#scripts').waitFor({ state: 'attached' });
  await textbox(page, 'Subject').fill('Half a page');
  await nextFrames(page);
  expect(asked).toEqual([]);
  half.sendRest();
  await hydrated(page);
  await expect(textbox(page, 'Subject')).toHaveValue('Half a page');
  await page.waitForLoadState();
  await half.stop();
});

test('a form sent before any script was asked for is posted by the browser, with all that was typed', async ({
  page,
}) => {
  await withhold(page, 'paint', 'timers');
  await page.route('**/assets/**', () => {});
  await page.goto('/contact');
  await fillContact(page);
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'we have your message' })).toBeVisible();
});

test('late scripts do not shift the layout of a page', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const letScriptsCome = await hold(page, '**/*.js');
  await page.addInitScript(() => {
    const shifts: PerformanceEntry[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((seen) => shifts.push(...seen.getEntries())).observe({
      type: 'layout-shift',
      buffered: true,
    });
  });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  // While a slow machine still reads the page it may paint a part of it, which the rest then moves.
  await nextFrames(page);
  const whole = await page.evaluate(() => performance.now());
  letScriptsCome();
  await hydrated(page);
  await nextFrames(page);
  const since = await page.evaluate(
    (from) =>
      (Reflect.get(window, 'shifts') as PerformanceEntry[])
        .filter(({ startTime }) => startTime >= from)
        .map((shift) => shift.toJSON()),
    whole,
  );
  expect(since).toEqual([]);
});
