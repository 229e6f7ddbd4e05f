import type { Page } from '@playwright/test';
import { fillHelp, send } from './forms.ts';
import { expect, test, visit } from './site.ts';

/** Where things stand: one edge for the whole page, nothing over a receipt, what matters never out of sight. */

const paths = ['/', '/help', '/contact', '/accessibility'] as const;

test('bar, languages, page and footer begin and end at one edge, 1,000 px apart', async ({ openPage }) => {
  const page = await openPage();
  for (const path of paths) {
    for (const width of [1280, 1600]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(path);
      const edges = await page.evaluate(() =>
        ['header', '#root > nav', 'main div', 'footer'].flatMap((part) => {
          if (!document.querySelector(part)) return [];
          const boxes = [...document.querySelectorAll(`${part} :is(img, svg, a, h1, h2, p, li, input)`)]
            .filter(
              (node) =>
                node.checkVisibility() && !node.closest('picture, dialog, #welcome, .visually-hidden'),
            )
            .map((node) => node.getBoundingClientRect());
          return {
            part,
            start: Math.round(Math.min(...boxes.map(({ left }) => left))),
            end: Math.round(Math.max(...boxes.map(({ right }) => right))),
          };
        }),
      );
      const start = (width - 1000) / 2;
      for (const edge of edges) {
        expect(edge.start, `${path} at ${width}: ${edge.part}`).toBe(start);
        expect(edge.end, `${path} at ${width}: ${edge.part}`).toBeLessThanOrEqual(start + 1000);
      }
      // The cover fills the window, and its words begin where the rest does.
      if (path === '/') {
        const words = await page.locator('#welcome h1 > span:visible').first().boundingBox();
        expect(words?.x).toBe(start);
      }
    }
  }
});

/** What of the page lies under the snackbar, at each place the visitor may scroll to. */
const underSnackbar = (page: Page) =>
  page.evaluate(() => {
    const snackbar = [...document.querySelectorAll('[role=status] > div')].find((node) =>
      node.checkVisibility(),
    );
    if (!snackbar) return 'no snackbar';
    const over: string[] = [];
    for (let top = 0; top <= document.documentElement.scrollHeight; top += 200) {
      scrollTo(0, top);
      const own = snackbar.getBoundingClientRect();
      for (const node of document.querySelectorAll(
        'main :is(a, button, h1, h2, h3, p, summary, li), footer a',
      )) {
        if (snackbar.contains(node) || !node.checkVisibility()) continue;
        const box = node.getBoundingClientRect();
        const shared = Math.min(own.bottom, box.bottom) - Math.max(own.top, box.top);
        if (shared > 0 && Math.min(own.right, box.right) > Math.max(own.left, box.left))
          over.push(`${node.localName} "${node.textContent?.trim().slice(0, 24)}"`);
      }
    }
    return [...new Set(over)].join(', ');
  });

async function sendHelp(page: Page): Promise<void> {
  await page.clock.install({ time: '2026-06-01T00:00:00Z' });
  await visit(page, '/help');
  await fillHelp(page);
  await page.clock.pauseAt('2026-06-01T00:30:00Z');
  await send(page).click();
  await expect(snackbar(page)).toBeVisible();
}

const snackbar = (page: Page) => page.getByRole('status').locator('div:visible');

for (const [width, height, percent] of [
  [320, 568, 100],
  [390, 844, 100],
  [390, 844, 200],
  [768, 1024, 100],
  [1280, 900, 100],
  // A desktop zoomed to 400 %, and a phone whose keyboard is open.
  [320, 225, 100],
  [390, 400, 100],
] as const) {
  test(`the snackbar covers nothing, and is in view, at ${width} × ${height} with text of ${percent} %`, async ({
    openPage,
  }) => {
    const page = await openPage({ viewport: { width, height }, reducedMotion: 'reduce' });
    const browser = await page.context().newCDPSession(page);
    await browser.send('Page.setFontSizes', { fontSizes: { standard: (16 * percent) / 100 } });
    await sendHelp(page);
    await expect(snackbar(page)).toBeInViewport({ ratio: 1 });
    const receipt = page.locator('main section:has(h2:focus)');
    const top = () => receipt.evaluate((node) => Math.round(node.getBoundingClientRect().top + scrollY));
    const before = await top();
    expect(await underSnackbar(page)).toBe('');
    // A pointer on it would keep it.
    await page.mouse.move(0, 0);
    await page.clock.runFor(3_100);
    await expect(snackbar(page)).toHaveCount(0);
    expect(await top(), 'nothing moves under a finger when it closes').toBe(before);
  });
}

test('with every helpline unfolded, the advice on leaving is whole below them, without scrolling there', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 720 } });
  await page.goto('/help');
  const block = page.locator('#help-now');
  for (const fold of await block.locator('summary').all()) await fold.click();
  const advice = block.locator('details').last();
  expect(
    await advice.evaluate((node) => {
      for (let outer: Element | null = node; outer && outer.localName !== 'main'; outer = outer.parentElement)
        if (/auto|scroll|hidden/.test(getComputedStyle(outer).overflowY)) return outer.className;
      return 'none';
    }),
  ).toBe('none');
  // The list beside the form stays in view while the page scrolls.
  await page.evaluate(() => scrollTo(0, 600));
  const footer = (await page.getByRole('contentinfo').boundingBox())?.y ?? 0;
  const { y = 0, height = 0 } = (await advice.boundingBox()) ?? {};
  expect(y + height).toBeLessThanOrEqual(footer);
});

test('without a script, its warning stands above the first question', async ({ openPage }) => {
  for (const path of ['/help', '/contact']) {
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(path);
    const warning = await page.locator('#ask > noscript p, #ask > p').first().boundingBox();
    const question = await page.locator('form h2, form label, form legend').first().boundingBox();
    expect((warning?.y ?? Infinity) + (warning?.height ?? 0)).toBeLessThan(question?.y ?? 0);
  }
});
