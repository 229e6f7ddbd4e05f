import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { fillContact, send, textbox } from './forms.ts';
import { expect, hydrated, test } from './site.ts';

const paths = ['/', '/help', '/contact'];

const sideways = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/** How much of the window stays for the page when bar and footer have taken theirs. */
const roomLeft = (page: Page) =>
  page.evaluate(() => {
    const taken = [...document.querySelectorAll('header, footer')]
      .filter((part) => ['sticky', 'fixed'].includes(getComputedStyle(part).position))
      .reduce((sum, part) => sum + part.getBoundingClientRect().height, 0);
    return 1 - taken / innerHeight;
  });

test('text has a contrast of 7:1, also where something is wrong or done', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 390, height: 4_200 }, reducedMotion: 'reduce' });
  const check = async (where: string) => {
    const axe = new AxeBuilder({ page }).setLegacyMode().withRules(['color-contrast-enhanced']);
    const { violations } = await axe.analyze();
    const found = violations.flatMap(({ nodes }) => nodes.map((node) => `${where}: ${node.failureSummary}`));
    expect(found).toEqual([]);
  };
  await page.goto('/');
  await check('home');
  await page.goto('/help');
  await hydrated(page);
  await page.getByText('Leave this site fast').click();
  await textbox(page, 'First name').focus();
  await textbox(page, 'Last name').focus();
  await expect(page.getByRole('alert')).toHaveText('First name is required');
  await check('help');
  await page.goto('/contact');
  await hydrated(page);
  await fillContact(page);
  await send(page).click();
  await page.getByText('Your form has been sent.').hover();
  await check('sent');
});

for (const [what, width, height, least] of [
  ['a desk zoomed to 400 %', 320, 256, 0.7],
  ['a phone on its side', 844, 390, 0.7],
  ['a wide and low window', 1280, 400, 0.8],
] as const) {
  test(`${what} leaves room to read, and scrolls one way only`, async ({ openPage }) => {
    const page = await openPage({ viewport: { width, height } });
    for (const path of paths) {
      await page.goto(path);
      expect(await sideways(page), path).toBeLessThanOrEqual(0);
      expect(await roomLeft(page), path).toBeGreaterThan(least);
    }
  });
}

test('with wide text spacing nothing is cut off or overlaps', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 320, height: 640 }, bypassCSP: true });
  for (const path of paths) {
    await page.goto(path);
    // The distances of WCAG 1.4.12.
    await page.addStyleTag({
      content: `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
        p { margin-block-end: 2em !important; }`,
    });
    expect(await sideways(page), path).toBeLessThanOrEqual(0);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('header *, main *, footer *')]
        .filter((one) => one.checkVisibility() && !one.closest('.visually-hidden, dialog'))
        .filter((one) => getComputedStyle(one).overflow !== 'visible' || one.matches('header > *'))
        .filter((one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1)
        .filter((one) => one.clientHeight > 0 && !one.matches('textarea'))
        .map((one) => one.outerHTML.slice(0, 120)),
    );
    expect(cut, path).toEqual([]);
    const bar = await page
      .locator('header > :visible')
      .evaluateAll((parts) =>
        parts.map((part) => part.getBoundingClientRect()).map(({ left, right }) => [left, right] as const),
      );
    for (const [index, [left]] of bar.slice(1).entries()) {
      expect(left, 'parts of the bar').toBeGreaterThanOrEqual((bar[index]?.[1] ?? 0) - 1);
    }
  }
});

for (const width of [390, 1280]) {
  test(`text at twice its size is whole, and nothing is pushed out of the window, ${width} px wide`, async ({
    openPage,
  }) => {
    const page = await openPage({ viewport: { width, height: 900 }, bypassCSP: true });
    for (const path of paths) {
      await page.goto(path);
      await page.addStyleTag({ content: 'html { font-size: 200%; }' });
      expect(await sideways(page), path).toBeLessThanOrEqual(0);
      await expect(page.getByRole('link', { name: 'Quick exit' })).toBeInViewport({ ratio: 1 });
    }
    await page.goto('/');
    await page.addStyleTag({ content: 'html { font-size: 200%; }' });
    const cut = await page
      .getByRole('main')
      .getByRole('link')
      .evaluateAll((cards) => cards.filter((card) => card.scrollHeight > card.clientHeight + 1).length);
    expect(cut).toBe(0);
  });
}

test("in the visitor's own colours, edges and focus are seen", async ({ openPage }) => {
  const page = await openPage({ forcedColors: 'active' });
  await page.goto('/');
  const card = page.getByRole('main').getByRole('link', { name: 'Get Help' });
  await expect(card).toHaveCSS('border-top-style', 'solid');
  for (let stops = 0; stops < 5; stops++) await page.keyboard.press('Tab');
  const exit = page.getByRole('link', { name: 'Quick exit' });
  await expect(exit).toBeFocused();
  await expect(exit).toHaveCSS('outline-style', 'solid');
  await expect(exit).toHaveCSS('outline-width', '3px');
});

test('who asked for no motion sees none', async ({ openPage }) => {
  const page = await openPage({ reducedMotion: 'reduce', viewport: { width: 390, height: 844 } });
  await page.goto('/');
  await hydrated(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('on paper the words stay, and what can only be pressed goes', async ({ page }) => {
  await page.goto('/help');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('link', { name: 'Quick exit' })).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByText('0800 733 843')).toBeVisible();
  await expect(page.getByRole('banner')).toHaveCSS('position', 'static');
  await expect(page.getByRole('contentinfo')).toHaveCSS('position', 'static');
  await expect(page.getByText("stay in your browser's history")).toBeVisible();
});

test('words of te reo are marked as such, also in the questions', async ({ page }) => {
  await page.goto('/help');
  for (const word of ['tamariki', 'Waitāwhina']) {
    await expect(page.getByText(word, { exact: true })).toHaveAttribute('lang', 'mi');
  }
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-NZ');
});
