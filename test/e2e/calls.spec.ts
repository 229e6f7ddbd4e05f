import type { Page } from '@playwright/test';
import { fillContact, send, textbox } from './forms.ts';
import { expect, hydrated, test, visit } from './site.ts';

/** Its own and every other under which it is tried again. */
const addressOf = (part: string) => new RegExp(`/assets/(again-\\d/)?${part}-`);

/** Every page that is loaded, as far as it was asked for. */
function watchVisits(page: Page): string[] {
  const visits: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && visits.push(request.url()));
  return visits;
}

test('both forms come with the first page, and are not fetched again', async ({ page }) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await visit(page, '/');
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await expect(textbox(page, 'First name')).toBeVisible();
  expect(calls.filter((path) => path === '/graphql' || path.startsWith('/bot-check'))).toEqual([]);
});

test('from the first touch of the form on a worker makes the token, and all that sending needs is there', async ({
  page,
}) => {
  const fetched: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/photos')) fetched.push(pathname);
  });
  await visit(page, '/contact');
  const worker = page.waitForEvent('worker');
  await textbox(page, 'First name').focus();
  // Until its script is there. One that has found the answer already is closed, and had it.
  const solver = await worker;
  expect(solver.url()).toContain('/assets/altcha-worker');
  await solver.evaluate(() => {}).catch(() => {});
  fetched.length = 0;
  await fillContact(page);
  await send(page).click();
  await expect(page.getByRole('button', { name: 'Make Another Submission' })).toBeVisible();
  // But for the receipt's drawing, which nothing waits for.
  expect(fetched.filter((path) => !path.endsWith('.svg'))).toEqual(['/graphql']);
});

test('a worker that was lost on the way is fetched again', async ({ page, watch }) => {
  watch.expectComplaint('net::ERR_CONNECTION_RESET');
  let lost = 0;
  await page.route('**/assets/altcha-worker-*.js', (route) =>
    lost++ === 0 ? route.abort('connectionreset') : route.continue(),
  );
  await visit(page, '/contact');
  await fillContact(page);
  await send(page).click();
  await expect(page.getByRole('button', { name: 'Make Another Submission' })).toBeVisible();
});

for (const part of ['entry-client', 'FormPage']) {
  test(`while ${part} is lost on the way the page keeps what is typed, and goes on by itself`, async ({
    page,
    watch,
  }) => {
    watch.expectComplaint('net::ERR_CONNECTION_RESET');
    let lost = 0;
    const visits = watchVisits(page);
    let restored = false;
    await page.route(addressOf(part), (route) => {
      if (restored) return route.continue();
      lost++;
      return route.abort('connectionreset');
    });
    await page.goto('/contact');
    await fillContact(page);
    await expect.poll(() => lost).toBeGreaterThan(1);
    restored = true;
    await hydrated(page);
    await expect(textbox(page, 'First name')).toHaveValue('Sample');
    expect(visits).toHaveLength(1);
    await send(page).click();
    await expect(page.getByRole('button', { name: 'Make Another Submission' })).toBeVisible();
  });
}

test('a form whose script cannot be fetched within the site is loaded as a page, once', async ({
  page,
  watch,
}) => {
  watch.expectComplaint('net::ERR_CONNECTION_RESET');
  let lost = 0;
  const visits = watchVisits(page);
  await page.route(addressOf('FormPage'), (route) => {
    lost++;
    return route.abort('connectionreset');
  });
  await visit(page, '/');
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await expect.poll(() => visits.length).toBe(2);
  await textbox(page, 'First name').fill('Sample');
  const before = lost;
  await expect.poll(() => lost).toBeGreaterThan(before + 1);
  expect(visits).toHaveLength(2);
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
});

test('pointing at a card whose page cannot be fetched leaves the home page alone', async ({
  page,
  watch,
}) => {
  watch.expectComplaint('net::ERR_CONNECTION_RESET');
  const visits = watchVisits(page);
  await page.route(addressOf('FormPage'), (route) => route.abort('connectionreset'));
  await visit(page, '/');
  const failed = page.waitForEvent('requestfailed');
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).hover();
  await failed;
  await page.unroute(addressOf('FormPage'));
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await expect(textbox(page, 'First name')).toBeVisible();
  expect(visits).toHaveLength(1);
});
