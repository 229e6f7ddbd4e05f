import { editSite } from '../support/site-server.ts';
import { expect, test } from './site.ts';

const everywhere = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

test('pages carry what search engines and link previews look for', async ({ openPage, ownSite }) => {
  const site = await ownSite({ env: { PUBLIC_URL: 'https://www.kowhai.example' } });
  const page = await openPage({ baseURL: site.url });
  const response = await page.goto('/help');
  expect(response?.headers()['strict-transport-security']).toContain('max-age=');
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-NZ');
  const content = (selector: string) => page.locator(selector).getAttribute('content');
  expect(await content('meta[name=description]')).toBe(
    'Ask Kōwhai Family Support Centre for help. It is free and private.',
  );
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute(
    'href',
    'https://www.kowhai.example/help',
  );
  expect(await content('meta[property="og:url"]')).toBe('https://www.kowhai.example/help');
  expect(await content('meta[property="og:title"]')).toContain('Request Help');
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', 'https://www.kowhai.example/');
});

test('security.txt says whom to write to, and has not expired', async ({ request, site }) => {
  const text = await (await request.get(`${site.url}/.well-known/security.txt`)).text();
  expect(text).toContain('Contact: mailto:admin@kowhai.example');
  expect(Date.parse(/^Expires: (.*)$/m.exec(text)?.[1] ?? '')).toBeGreaterThan(Date.now());
});

test('every answer has the strict headers', async ({ request, site }) => {
  for (const path of ['/', '/help', '/robots.txt', '/assets/none.js', '/no/such/page', '/%zz', '/graphql']) {
    const response = await request.get(site.url + path, { maxRedirects: 0 });
    // A form's page tells this site where a post comes from, and nobody else.
    const referrer = path === '/help' ? 'same-origin' : 'no-referrer';
    expect(response.headers(), path).toMatchObject({ ...everywhere, 'referrer-policy': referrer });
    expect(response.headers()['content-security-policy'], path).toContain("frame-ancestors 'none'");
    expect(response.headers()['content-security-policy'], path).not.toContain('unsafe');
    expect(response.headers()['permissions-policy'], path).toContain('camera=()');
  }
  const policy = (await request.get(`${site.url}/help`)).headers()['content-security-policy'];
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).toContain("style-src 'sha256-");
});

test('a page of the build is compressed and has an ETag, its script is cached for ever, at a second address too', async ({
  request,
  site,
}) => {
  const page = await request.get(`${site.url}/help`, { headers: { 'accept-encoding': 'gzip, br' } });
  expect(page.headers()).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'cache-control': 'no-cache',
  });
  const script = /\/assets\/entry-client-[^"]+/.exec(await page.text())?.[0];
  const asset = await request.get(site.url + script);
  expect(asset.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
  // For browsers that never again ask for a module they once failed to get.
  const other = await request.get(site.url + script?.replace('/assets/', '/assets/again-1/'));
  expect(other.headers()).toMatchObject({ etag: asset.headers().etag });
});

test('in development the pages come from the sources, with the words as they are now', async ({
  request,
  ownSite,
}) => {
  const site = await ownSite({ development: true });
  const html = async () => (await request.get(`${site.url}/help`, { timeout: 0 })).text();
  expect(await html()).toContain('/@vite/client');
  expect(await html()).toContain('Request Help from');
  await editSite(site.contentDir, [['heading: "Request Help from', 'heading: "Kia ora from']]);
  await expect.poll(html).toContain('Kia ora from');
});
