import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { choiceOf, field, onlyPseudoLanguages, reference, sendButton, test } from './pseudo-site.ts';
import { expect, hydrated, visit } from './site.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function expectNoViolations(page: Page, where: string): Promise<void> {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 3_200 });
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    const { violations } = await axe.withTags(rules).analyze();
    const found = violations.map(({ id, nodes }) => `${id} ${nodes.map((node) => node.html).join(' ')}`);
    expect(found, `${where} at ${width}`).toEqual([]);
  }
}

for (const prefix of ['/en-xa', '/ar-xb']) {
  test(`axe finds nothing on the pages below ${prefix}`, async ({ openPage }) => {
    const page = await openPage({ viewport: { width: 320, height: 3_200 }, reducedMotion: 'reduce' });
    await visit(page, prefix);
    await expectNoViolations(page, 'home');
    await visit(page, `${prefix}/help`);
    await field(page, 'FirstName').focus();
    await field(page, 'Phone').focus();
    await field(page, 'Subject').focus();
    await expect(page.getByRole('alert')).not.toHaveCount(0);
    await expectNoViolations(page, 'a form with problems');
    await visit(page, `${prefix}/contact`);
    for (const key of ['FirstName', 'Subject', 'Message']) await field(page, key).fill('Sample');
    await field(page, 'Email').fill('sample@visitor.example');
    await sendButton(page).click();
    await expect(reference(page)).toBeVisible();
    await expectNoViolations(page, 'a receipt');
  });
}

for (const viewport of [
  { width: 320, height: 568 },
  { width: 360, height: 640 },
  { width: 390, height: 664 },
  { width: 768, height: 1024 },
  { width: 1280, height: 720 },
]) {
  test(`at ${viewport.width} × ${viewport.height} every language, 111 and the exit are in view at once`, async ({
    openPage,
  }) => {
    const page = await openPage({ viewport });
    for (const path of ['/', '/help', '/contact', '/en-xa', '/ar-xb/help', '/ar-xb']) {
      await page.goto(path);
      for (const tag of ['en-NZ', 'en-XA', 'ar-XB'])
        await expect(choiceOf(page, tag)).toBeInViewport({ ratio: 1 });
      await expect(page.locator('header > [data-leave]')).toBeInViewport({ ratio: 1 });
      if (!path.endsWith('contact'))
        await expect(page.getByRole('main').locator('a[href="tel:111"]:visible').first()).toBeInViewport({
          ratio: 1,
        });
    }
  });
}

test('from right to left the drawer comes from the other side, and arrows point the other way', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
  await visit(page, '/ar-xb');
  await page.locator('header summary').click();
  await expect
    .poll(async () => {
      const box = await page.getByRole('dialog').boundingBox();
      return (box?.x ?? 0) + (box?.width ?? 0);
    })
    .toBe(390);
  await page.keyboard.press('Escape');
  const arrow = page.getByRole('main').locator('h2 svg').first();
  await expect(arrow).toHaveCSS('transform', 'matrix(-1, 0, 0, 1, 0, 0)');
});

test('many languages show as many names as fit, and unfold without a script', async ({
  openPage,
  ownSite,
}) => {
  const site = await ownSite({
    site: [['organisation:', 'language:\n  tag: en-NZ\n  name: English as it is spoken here\norganisation:']],
    prepare: onlyPseudoLanguages('en-XA', 'ar-XB'),
  });
  for (const javaScriptEnabled of [true, false]) {
    const page = await openPage({
      baseURL: site.url,
      javaScriptEnabled,
      viewport: { width: 320, height: 568 },
    });
    await page.goto('/help');
    if (javaScriptEnabled) await hydrated(page);
    const summary = page.locator('nav summary');
    await expect(summary).toBeInViewport();
    await expect(choiceOf(page, 'ar-XB')).toBeHidden();
    await field(page, 'FirstName').fill('Sample');
    await summary.click();
    await choiceOf(page, 'ar-XB').click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'ar-XB');
    await expect(field(page, 'FirstName')).toHaveValue('Sample');
    await expect(choiceOf(page, 'ar-XB')).toBeHidden();
    if (javaScriptEnabled) await expect(summary).toBeFocused();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  }
});
