import { expectNothingTyped, test } from './back-forward-cache.ts';
import { fillHelp, send, textbox } from './forms.ts';
import { expect, hydrated, visit } from './leaving.ts';

test('after a reload nothing typed is left', async ({ page }) => {
  await visit(page, '/help');
  await fillHelp(page);
  await page.reload();
  await hydrated(page);
  await expectNothingTyped(page);
});

test('after another page and Back nothing typed is left', async ({ page, neutral }) => {
  await visit(page, '/help');
  await fillHelp(page);
  await page.goto(neutral.url);
  await page.goBack();
  await hydrated(page);
  await expectNothingTyped(page);
});

for (const scripts of ['with its scripts', 'before its scripts have come']) {
  test(`a page from the back-forward cache comes back empty, ${scripts}`, async ({
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
  await visit(page, '/help');
  await fillHelp(page);
  await send(page).click();
  await expect(page.getByText(/say this reference.* \S+/)).toBeVisible();
  await page.goto(neutral.url);
  await page.goBack({ waitUntil: 'commit' });
  await expect(page.getByText(/say this reference/)).toHaveCount(0);
  await expectNothingTyped(page);
  await page.context().close();
});

for (const answer of ['a receipt', 'a form to mend']) {
  test(`${answer} that the server answered with is not posted for again by Back and a reload`, async ({
    page,
    neutral,
    watch,
  }) => {
    const posts: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()));
    await page.route('**/assets/**', () => {});
    await page.goto('/help', { waitUntil: 'commit' });
    await fillHelp(page);
    if (answer === 'a form to mend') {
      watch.expectComplaint('422');
      await textbox(page, 'First name').fill('  ');
    }
    await send(page).click();
    await page.locator('html[data-posted]').waitFor();
    await page.unrouteAll();
    await page.goto(neutral.url);
    await page.goBack();
    await page.reload();
    await hydrated(page);
    await expect(page.getByText(/say this reference/)).toHaveCount(0);
    await expectNothingTyped(page);
    expect(posts).toHaveLength(1);
  });
}
