import { expectNothingTyped, test } from './back-forward-cache.ts';
import { fillHelp, send } from './forms.ts';
import { expect, hydrated } from './leaving.ts';

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
