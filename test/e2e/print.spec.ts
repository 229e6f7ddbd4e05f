import type { Page } from '@playwright/test';
import { fillHelp, send, textbox } from './forms.ts';
import { expect, test, visit } from './site.ts';

/** What people take away on paper: numbers, helplines, a form to fill in by pen, a reference. */

const papers = (['A4', 'Letter'] as const).flatMap((format) => [
  { format, landscape: false },
  { format, landscape: true },
]);

const margin = { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' };

/** Chromium writes the number of pages into the page tree. */
async function expectPages(page: Page, most: number): Promise<void> {
  for (const paper of papers) {
    const pdf = (await page.pdf({ ...paper, margin })).toString('latin1');
    const counts = [...pdf.matchAll(/\/Type \/Pages[^>]*?\/Count (\d+)/gs)].map(([, count]) => Number(count));
    expect(Math.max(...counts), JSON.stringify(paper)).toBeLessThanOrEqual(most);
  }
}

/** At the width between the margins, portrait and landscape: every word is there, and whole. */
async function expectWhole(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  for (const width of [718, 1046]) {
    await page.setViewportSize({ width, height: width === 718 ? 1046 : 718 });
    expect(await page.evaluate(findLost), `${width} px`).toEqual([]);
  }
  await page.emulateMedia({ media: null });
}

/** In the browser: words that paper would not show whole, what lies over every sheet, and choices that may be split. */
function findLost(): string[] {
  const lost: string[] = [];
  const say = (node: Element, what: string) =>
    lost.push(`${what}: ${node.localName} "${node.textContent?.trim().slice(0, 40)}"`);
  const seen = (node: Element) => node.checkVisibility({ contentVisibilityAuto: true });

  for (const node of document.querySelectorAll('#root *')) {
    const { position, clipPath } = getComputedStyle(node);
    if (seen(node) && /fixed|sticky/.test(position) && clipPath === 'none') say(node, 'over the page');
  }
  // Helplines, privacy, contact and receipt, in every fold.
  for (const node of document.querySelectorAll('h1, section :is(h2, h3, p, li, a[href*=":"]), footer p'))
    if (!seen(node)) say(node, 'not shown');

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const node = texts.currentNode.parentElement as Element;
    if (!texts.currentNode.nodeValue?.trim() || !seen(node) || node.closest('.visually-hidden, textarea'))
      continue;
    range.selectNodeContents(texts.currentNode);
    const box = range.getBoundingClientRect();
    if (box.left < -1 || box.right > innerWidth + 1) say(node, 'beyond the paper');
    for (let outer: Element | null = node; outer; outer = outer.parentElement) {
      const { bottom, right } = outer.getBoundingClientRect();
      const clips = getComputedStyle(outer).overflow !== 'visible';
      if (clips && (box.bottom > bottom + 1 || box.right > right + 1)) say(node, 'cut off');
    }
  }
  for (const area of document.querySelectorAll('textarea'))
    if (area.scrollHeight > area.clientHeight + 1) say(area, 'cut off');
  for (const part of document.querySelectorAll('fieldset, main li, form label'))
    if (seen(part)) {
      let outer: Element | null = part;
      while (outer && getComputedStyle(outer).breakInside !== 'avoid') outer = outer.parentElement;
      if (!outer) say(part, 'may be split');
    }
  return lost;
}

for (const { path, most } of [
  { path: '/', most: 1 },
  { path: '/help', most: 3 },
  { path: '/contact', most: 2 },
  { path: '/accessibility', most: 2 },
  { path: '/en-nz-x-easy/help', most: 3 },
] as const) {
  test(`${path} is at most ${most} pages of any paper, and nothing of it is lost`, async ({ page }) => {
    await page.goto(path);
    // A form fetches the rules for paper after its first paint.
    await page.waitForLoadState('networkidle');
    await expectPages(page, most);
    await expectWhole(page);
  });
}

test('without a script a form is printed whole too, with every question', async ({ openPage }) => {
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto('/help');
  await page.waitForLoadState('networkidle');
  await expectPages(page, 4);
  await expectWhole(page);
});

test('what was typed is printed whole, and a receipt with its reference', async ({ page }) => {
  await visit(page, '/help');
  await fillHelp(page);
  await textbox(page, 'Tell us what is going on').fill('Some words about it.\n'.repeat(30));
  await expectPages(page, 4);
  await expectWhole(page);
  await send(page).click();
  await expect(page.getByRole('button', { name: 'Make Another Submission' })).toBeVisible();
  await expectPages(page, 2);
  await expectWhole(page);
  await expect(page.locator('main section strong')).toHaveText(/^\w{4}-\w{4}$/);
});
