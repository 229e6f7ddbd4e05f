import { AxeBuilder } from '@axe-core/playwright';
import { expect, expectNoScrollSideways, hydrated, testWith, visit } from './site.ts';

const portal = 'https://staticcdn.co.nz';

/** A site that has everything switched on that site.yaml leaves off. */
const test = testWith({
  site: [
    ['shieldedSite: false', 'shieldedSite: true'],
    ['discreetTitles: false', 'discreetTitles: true'],
  ],
});

test('the portal opens by keyboard in a dialog, closes, and gives the focus back', async ({
  openPage,
  watch,
}) => {
  watch.expectComplaint(`request to ${portal}/`);
  const page = await openPage({ viewport: { width: 320, height: 640 } });
  await page.context().route(`${portal}/**`, (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><html lang="en"><title>Portal</title><main><h1>Portal</h1><a href="#a">Ask</a></main>',
    }),
  );
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const answer = await page.goto('/');
  expect(answer?.headers()['content-security-policy']).toContain(`frame-src ${portal};`);
  await hydrated(page);
  expect(
    asked.filter((address) => address.startsWith(portal)),
    'before it is opened',
  ).toEqual([]);

  const button = page.getByRole('contentinfo').getByRole('button', { name: 'Shielded Site' });
  await button.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: "Women's Refuge Shielded Site" });
  await expect(dialog.getByRole('button', { name: 'Close Shielded Site' })).toBeFocused();
  await expect(dialog.getByRole('link', { name: 'Quick exit' })).toBeInViewport({ ratio: 1 });
  const frame = dialog.frameLocator(`iframe[title="Women's Refuge Shielded Site"]`);
  await expect(frame.getByRole('heading', { name: 'Portal' })).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(frame.getByRole('link', { name: 'Ask' })).toBeFocused();
  await expect(dialog).toMatchAriaSnapshot({ name: 'shielded-site.aria.yml' });
  expect((await new AxeBuilder({ page }).include('dialog[open]').analyze()).violations).toEqual([]);
  await expectNoScrollSideways(page);

  await dialog.getByRole('button', { name: 'Close Shielded Site' }).press('Enter');
  await expect(page.locator('iframe')).toHaveCount(0);
  await expect(button).toBeFocused();
});

test('discreet titles give nothing away, in the tab or in a shared link', async ({ page }) => {
  for (const path of ['/', '/help', '/contact']) {
    await page.goto(path);
    await expect(page).toHaveTitle('Welcome');
    const previews = await page
      .locator('meta[property^="og:"]')
      .evaluateAll((all) => all.map((meta) => meta.getAttribute('content')));
    expect(previews).toEqual(['Welcome']);
  }
  await visit(page, '/');
  await page.getByRole('main').getByRole('link', { name: 'Contact Us' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contact Us' })).toBeFocused();
  await expect(page).toHaveTitle('Welcome');
});
