import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumArgs, getChromium } from '../support/chromium.ts';
import { fillHelp, send } from './forms.ts';
import { expect, hydrated, test as leaving } from './leaving.ts';

/** Playwright turns the back-forward cache off; here it is what is tested. */
const test = leaving.extend<object, { caching: Browser }>({
  caching: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's parts from here
    async ({}, use) => {
      const browser = await chromium.launch({
        executablePath: getChromium(),
        args: chromiumArgs,
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
});

/** Everything a field could show, or give back on Undo. */
async function expectNothingTyped(page: Page): Promise<void> {
  for (const field of await page.getByRole('textbox').all()) {
    await expect(field).toHaveValue('');
    await field.focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(field).toHaveValue('');
  }
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  const html = await page.content();
  for (const words of ['Sample', 'A quiet word', 'Some words about it']) expect(html).not.toContain(words);
}

test('after a reload nothing typed is left', async ({ page }) => {
  await page.goto('/help');
  await hydrated(page);
  await fillHelp(page);
  await page.reload();
  await hydrated(page);
  await expectNothingTyped(page);
});

test('after another page and Back nothing typed is left', async ({ page, neutral, watch }) => {
  watch.expectComplaint(`request to ${neutral.url}`);
  await page.goto('/help');
  await hydrated(page);
  await fillHelp(page);
  await page.goto(neutral.url);
  await page.goBack();
  await hydrated(page);
  await expectNothingTyped(page);
});

test('after a page of this site and Back nothing typed is left', async ({ page }) => {
  await page.goto('/help');
  await hydrated(page);
  await fillHelp(page);
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Family Support Centre/ })
    .click();
  await page.waitForURL('/');
  // The address changes before the page does. Whoever goes back within that moment has never left the form.
  await expect(page.locator('form')).toHaveCount(0);
  await page.goBack();
  await page.waitForURL('/help');
  await expectNothingTyped(page);
});

for (const scripts of ['with its scripts', 'before its scripts have come']) {
  test(`a page kept whole by the browser comes back empty, ${scripts}`, async ({
    caching,
    site,
    neutral,
  }) => {
    const page = await caching.newPage({ baseURL: site.url });
    const late = scripts !== 'with its scripts';
    if (late) await page.route('**/assets/**', () => {});
    await page.goto('/help', { waitUntil: late ? 'commit' : 'load' });
    if (!late) await hydrated(page);
    await fillHelp(page);
    await page.evaluate(() => Object.assign(window, { kept: true }));
    await page.goto(neutral.url);
    await page.goBack({ waitUntil: 'commit' });
    expect(await page.evaluate(() => 'kept' in window), 'the very same page').toBe(true);
    await expectNothingTyped(page);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.context().close();
  });
}

test('that something was sent is not seen again either', async ({ caching, site, neutral }) => {
  const page = await caching.newPage({ baseURL: site.url });
  await page.goto('/help');
  await hydrated(page);
  await fillHelp(page);
  await send(page).click();
  await expect(page.getByText(/Your reference is \S+/)).toBeVisible();
  await page.goto(neutral.url);
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.getByText(/Your reference is/)).toHaveCount(0);
  await expectNothingTyped(page);
  await page.context().close();
});
