import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { fillContact, send, textbox } from './forms.ts';
import { expect, menuButton, test, visit } from './site.ts';

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
  await visit(page, '/help');
  for (const folded of ['More helplines', 'Leave this site fast', 'More about your privacy']) {
    await page.getByText(folded).click();
  }
  await textbox(page, 'First name').focus();
  await textbox(page, 'Last name').focus();
  await expect(page.getByRole('alert')).toHaveText('First name is required');
  await check('help');
  await page.clock.install({ time: '2026-06-01T00:00:00Z' });
  await visit(page, '/contact');
  await fillContact(page);
  await page.clock.pauseAt('2026-06-01T00:30:00Z');
  await send(page).click();
  await page.getByText('Your form has been sent.').hover();
  await page.clock.resume();
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
        // The hint beside the exit is only for screen readers on a narrow window.
        .filter((one) => getComputedStyle(one).clipPath === 'none')
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

for (const width of [320, 390, 1280]) {
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
    const cover = await page.locator('#welcome').boundingBox();
    const greeting = await page.getByRole('heading', { level: 1 }).boundingBox();
    expect(greeting?.y).toBeGreaterThan(cover?.y ?? Number.NaN);
  });
}

test('one endless word in a question does not widen the page', async ({ openPage, ownSite }) => {
  const word = 'Whakawhanaungatanga'.repeat(4);
  const site = await ownSite();
  const form = join(site.contentDir, 'forms/help.yaml');
  const questions = await readFile(form, 'utf8');
  // The name and the description of every question, and every choice.
  const places = /^( +(?:displayName: |description: |- \{ label: |- (?!\{))"?)(?=[^\s"])/gm;
  await writeFile(form, questions.replace(places, `$1${word} `));
  const page = await openPage({ baseURL: site.url, viewport: { width: 390, height: 800 } });
  await expect
    .poll(async () => {
      await page.goto('/help');
      return page.getByRole('checkbox', { name: `${word} Phone call` }).count();
    })
    .toBe(1);
  for (const width of [320, 390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await sideways(page), `${width} px`).toBeLessThanOrEqual(0);
  }
});

test('an answer written from right to left is shown so, and its question is not', async ({ page }) => {
  await page.goto('/contact');
  const direction = (name: string) =>
    textbox(page, name).evaluate((field) => {
      const question = document.querySelector(`label[for="${field.id}"]`) ?? field;
      return [field, question].map((one) => getComputedStyle(one).direction);
    });
  for (const name of ['First name', 'Your message to us']) {
    await textbox(page, name).fill('مرحبا');
    expect(await direction(name)).toEqual(['rtl', 'ltr']);
    await textbox(page, name).fill('Kia ora');
    expect(await direction(name)).toEqual(['ltr', 'ltr']);
  }
});

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

test('a visitor who prefers no motion sees none', async ({ openPage }) => {
  const page = await openPage({ reducedMotion: 'reduce', viewport: { width: 390, height: 844 } });
  await visit(page, '/');
  await menuButton(page).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('on paper the words stay, and what can only be pressed goes', async ({ page }) => {
  await page.goto('/help');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('link', { name: 'Quick exit' })).toHaveCount(0);
  await expect(page.getByRole('button')).toHaveCount(0);
  for (const said of ['0800 733 843', '0800 044 334', 'We do not pass it on unless you say so']) {
    await expect(page.getByText(said)).toBeVisible();
  }
  await expect(page.getByRole('banner')).toHaveCSS('position', 'static');
  await expect(page.getByRole('contentinfo')).toHaveCSS('position', 'static');
  await expect(page.getByText('stay in the history')).toBeVisible();
});

test('words of te reo are marked as such, also in the questions', async ({ page }) => {
  await page.goto('/help');
  for (const word of ['tamariki', 'Waitāwhina']) {
    await expect(page.getByText(word, { exact: true })).toHaveAttribute('lang', 'mi');
  }
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-NZ');
});
