import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { fillContact, send, textbox } from './forms.ts';
import { expect, expectNoScrollSideways, menuButton, test, visit } from './site.ts';

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
  for (const folded of [
    'More helplines',
    'Leave this site fast',
    'Tell us more (optional)',
    'More about your privacy',
  ]) {
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
  await page.getByText('We have it.').hover();
  await page.clock.resume();
  await check('sent');
});

test('zoomed to 400 %, on its side and in a low window there is room to read, and it scrolls one way only', async ({
  page,
}) => {
  for (const [width, height, least] of [
    [320, 256, 0.7],
    [844, 390, 0.7],
    [1280, 400, 0.8],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const path of ['/', '/help', '/contact']) {
      await page.goto(path);
      await expectNoScrollSideways(page, `${path} at ${width} px`);
      expect(await roomLeft(page), `${path} at ${width} px`).toBeGreaterThan(least);
    }
  }
});

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
    await expectNoScrollSideways(page, `${width} px`);
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
  // The skip link, the name, and the three links of the bar come before it.
  for (let stops = 0; stops < 6; stops++) await page.keyboard.press('Tab');
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
  for (const said of ['0800 733 843', '0800 044 334', 'We ask you first before we share it']) {
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
