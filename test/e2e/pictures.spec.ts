import type { Page } from '@playwright/test';
import { answerBytes, answerPhotos, servicePhoto, startFakePexels } from '../support/fake-pexels.ts';
import { photo } from '../support/pictures.ts';
import { expect, test, visit, widths } from './site.ts';

/** Every picture on the page, scrolled to and loaded. */
async function loadedPictures(page: Page) {
  const images = page.locator('picture img');
  await expect(images.first()).toBeAttached();
  for (const image of await images.all()) {
    await image.scrollIntoViewIfNeeded();
    await expect.poll(() => image.evaluate((node: HTMLImageElement) => node.naturalWidth)).toBeGreaterThan(0);
  }
  return images.evaluateAll((nodes: HTMLImageElement[]) =>
    nodes.map((node) => ({
      alt: node.alt,
      address: new URL(node.currentSrc).pathname,
      shown: node.clientHeight,
    })),
  );
}

for (const width of widths) {
  test(`at ${width} px every picture is there, in AVIF, cut for its place, with words for who cannot see it`, async ({
    openPage,
  }) => {
    const page = await openPage({
      viewport: { width, height: 900 },
      deviceScaleFactor: width === 390 ? 2 : 1,
    });
    await page.goto('/');
    const home = await loadedPictures(page);
    expect(home.map(({ shown }) => shown)).toEqual([400, 240, 240]);
    await page.goto('/help');
    const help = await loadedPictures(page);
    await page.goto('/contact');
    const contact = await loadedPictures(page);
    expect([...help, ...contact].map(({ shown }) => shown)).toEqual([240, 240]);

    const crop = { 390: '480@2x', 768: '1280@1x', 1280: '1920@1x' }[width];
    expect(home[0]?.address).toMatch(new RegExp(`^/photos/[0-9a-f]+/cover-${crop}\\.avif$`));
    const [cover, ...cards] = home;
    for (const { address } of [...home, ...help, ...contact]) expect(address).toMatch(/\.avif$/);
    for (const described of [cover, ...help, ...contact]) expect(described?.alt.length).toBeGreaterThan(20);
    // Beside the words of a card its picture is decoration.
    expect(cards.map(({ alt }) => alt)).toEqual(['', '']);
  });
}

test('coming home inside the site shows another cover', async ({ page }) => {
  await visit(page, '/');
  const cover = page.locator('#welcome img');
  const first = await cover.getAttribute('src');
  await page
    .getByRole('main')
    .getByRole('link', { name: /Get Help/ })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Request Help');
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Kōwhai/ })
    .click();
  await expect(cover).toBeVisible();
  expect(await cover.getAttribute('src')).not.toBe(first);
});

test("the photo service's pictures come through this site, with credit", async ({ openPage, ownSite }) => {
  const pexels = await startFakePexels();
  pexels.images.set('/1.jpeg', answerBytes(await photo('#557799', 1200, 800)));
  pexels.search = answerPhotos([servicePhoto(1, `${pexels.url}/1.jpeg`)]);
  const site = await ownSite({ env: { PEXELS_URL: pexels.url, PEXELS_API_KEY: pexels.apiKey } });
  const page = await openPage({ baseURL: site.url });
  await expect
    .poll(
      async () => {
        await page.goto('/help');
        return page.getByText('Photo by').count();
      },
      { timeout: 240_000 },
    )
    .toBe(1);
  const credit = page.getByText('Photo by Photographer 1 on Pexels');
  await expect(credit.getByRole('link', { name: 'Photographer 1' })).toHaveAttribute(
    'href',
    'https://www.pexels.com/photo/1/',
  );
  await expect(credit.getByRole('link', { name: 'Pexels' })).toHaveAttribute(
    'href',
    'https://www.pexels.com',
  );
  expect(await loadedPictures(page)).toMatchObject([{ alt: 'Photo 1' }]);
  expect(await page.content()).not.toContain(pexels.apiKey);
  await pexels.close();
});

test('the HTML of a form comes before its scripts, and scripts and picture have low priority', async ({
  page,
}) => {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  const priorities = new Map<string, string>();
  session.on('Network.requestWillBeSent', ({ request }) => {
    const [, name = ''] = /\/(?:assets|photos\/\w+)\/(\w+)[^/]*$/.exec(request.url) ?? [];
    // What is asked for again is in the browser's cache by then.
    if (!priorities.has(name)) priorities.set(name, request.initialPriority);
  });
  await visit(page, '/help');
  expect([priorities.get('header'), priorities.get('entry')]).toEqual(['Low', 'Low']);
  const html = await (await page.request.get('/help')).text();
  const [top, bottom] = html.split('</form>');
  const scripts = /rel="modulepreload"|src="\/assets\//;
  expect(top).not.toMatch(scripts);
  expect(bottom).toMatch(scripts);

  await page.goto('/');
  await expect.poll(() => priorities.get('cover')).toBe('High');
});
