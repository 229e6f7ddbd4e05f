import { fillHelp, send } from './forms.ts';
import { expect, test, visit } from './site.ts';

test('a whole visit leaves no cookie, no storage, no answer in an address, and asks no other host', async ({
  page,
}) => {
  const addresses: string[] = [];
  page.on('request', (request) => addresses.push(request.url()));
  const kept: string[] = [];
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    const personal = pathname === '/graphql' || pathname.startsWith('/bot-check');
    if (personal) kept.push(`${pathname} ${response.headers()['cache-control']}`);
  });
  await visit(page, '/');
  await page.getByRole('main').getByRole('link', { name: 'Contact Us' }).click();
  await page.waitForURL('/contact');
  await visit(page, '/help');
  await fillHelp(page);
  await send(page).click();
  await expect(page.getByText(/say this reference.* \S+/)).toBeVisible();

  expect(new Set(kept)).toEqual(new Set(['/bot-check/challenge no-store', '/graphql no-store']));
  expect(await page.context().cookies()).toEqual([]);
  const left = await page.evaluate(async () => ({
    cookie: document.cookie,
    local: localStorage.length,
    session: sessionStorage.length,
    databases: (await indexedDB.databases()).length,
    caches: (await caches.keys()).length,
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    state: history.state,
  }));
  expect(left).toEqual({
    cookie: '',
    local: 0,
    session: 0,
    databases: 0,
    caches: 0,
    workers: 0,
    // The number of this site's entries before this one.
    state: 2,
  });
  // Requests to other hosts fail any test (site.ts).
  expect(addresses.filter((address) => /Sample|quiet|words/i.test(decodeURIComponent(address)))).toEqual([]);
  expect(addresses.filter((address) => address.includes('?'))).toEqual([]);
});

test('off, the Shielded Site is nowhere, and the content policy has no place for it', async ({ page }) => {
  const answer = await page.goto('/help');
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).not.toMatch(/frame-src|staticcdn/);
  expect(policy).toContain("default-src 'none'");
  await expect(page.getByRole('button', { name: 'Shielded Site' })).toHaveCount(0);
  expect(await page.content()).not.toContain('staticcdn');
});

test('the privacy notice is before the button', async ({ page }) => {
  await page.goto('/help');
  const notice = page.getByRole('region', { name: 'Your privacy' });
  for (const said of [
    'only what you write here',
    'We use it to help you',
    'It goes to our team',
    'Kōwhai Family Support Centre holds it, at 12 Example Street',
    'You do not have to',
    'If you leave things out',
    'ask to see what we hold about you. You can ask us to correct it',
    'deletes it 30 days after',
  ]) {
    await expect(notice).toContainText(said);
  }
  // All of it in two lines, and every sentence on request.
  await expect(notice.getByText(/Only our team reads it\. .* 30 days after/)).toBeVisible();
  await expect(notice.getByText('It goes to our team')).toBeHidden();
  await notice.getByText('More about your privacy').click();
  await expect(notice.getByText('It goes to our team')).toBeVisible();
  await expect(notice.getByText('Waitāwhina')).toHaveAttribute('lang', 'mi');
  const before = await notice.evaluate((section) =>
    section.compareDocumentPosition(document.querySelector('form button[type=submit]') as Element),
  );
  expect(before, 'DOCUMENT_POSITION_FOLLOWING').toBe(4);
});
test('two helplines are one touch away before the form, the others one more, and no script is needed', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 664 }, javaScriptEnabled: false });
  await page.goto('/help');
  const now = page.getByRole('region', { name: 'Help right now' });
  const addresses = () =>
    now.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
  const first = ['tel:0800733843', 'tel:0800456450', 'https://www.areyouok.org.nz', '#ask'];
  expect(await addresses()).toEqual(first);
  await now.getByText('More helplines').click();
  expect(await addresses()).toEqual([
    ...first,
    'tel:0800439276',
    'tel:0800044334',
    'sms:4334',
    'https://safetotalk.nz',
    'tel:1737',
    'sms:1737',
    'tel:0800742584',
    'tel:105',
    'https://www.police.govt.nz/111-txt',
    'https://www.nzrelay.co.nz',
  ]);
  const form = await page.locator('form').boundingBox();
  const block = await now.boundingBox();
  expect((block?.y ?? Number.NaN) + (block?.height ?? Number.NaN)).toBeLessThan(form?.y ?? Number.NaN);

  await page.getByText('Leave this site fast').click();
  await expect(page.getByText('stay in the history')).toBeVisible();
});
