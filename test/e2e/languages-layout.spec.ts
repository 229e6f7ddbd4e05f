import { unfold } from './forms.ts';
import {
  choice,
  choiceOf,
  field,
  fillContact,
  onlyPseudoLanguages,
  reference,
  sendButton,
  test,
} from './pseudo-site.ts';
import { expect, expectNoViolations, hydrated, visit } from './site.ts';

const widths = [320, 1280];

for (const prefix of ['/en-xa', '/ar-xb']) {
  test(`axe finds nothing on the pages below ${prefix}`, async ({ openPage }) => {
    const page = await openPage({ viewport: { width: 320, height: 3_200 }, reducedMotion: 'reduce' });
    await visit(page, prefix);
    await expectNoViolations(page, 'home', widths);
    await visit(page, `${prefix}/help`);
    await field(page, 'FirstName').focus();
    await choice(page, 'Phone call').check();
    await field(page, 'Phone').focus();
    await unfold(page);
    await field(page, 'Subject').focus();
    await expect(page.getByRole('alert')).not.toHaveCount(0);
    await expectNoViolations(page, 'a form with problems', widths);
    await visit(page, `${prefix}/contact`);
    await fillContact(page);
    await sendButton(page).click();
    await expect(reference(page)).toBeVisible();
    await expectNoViolations(page, 'a receipt', widths);
  });
}

test('every language, 111 and the exit are in view at once', async ({ page }) => {
  for (const [width, height] of [
    [320, 568],
    [390, 664],
    [768, 1024],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const path of ['/', '/help', '/contact', '/en-xa', '/ar-xb/help', '/ar-xb']) {
      await page.goto(path);
      const emergency = page.getByRole('main').locator('a[href="tel:111"]:visible').first();
      for (const seen of [
        ...['en-NZ', 'en-XA', 'ar-XB'].map((tag) => choiceOf(page, tag)),
        page.locator('header > [data-leave]'),
        ...(path === '/contact' ? [] : [emergency]),
      ])
        await expect(seen, `${path} at ${width} px`).toBeInViewport({ ratio: 1 });
    }
  }
});

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
