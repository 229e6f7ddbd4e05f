import { expect, test, widths } from './site.ts';

for (const width of widths) {
  test(`at ${width} px the home page has its cover and two cards`, async ({ openPage }) => {
    const page = await openPage({ viewport: { width, height: 900 } });
    await page.goto('/');
    const heading = page.getByRole('heading', { level: 1 });
    await expect(heading).toHaveText(
      'Nau Mai, Haere Mai - Our website is under construction - Coming Soon...',
    );
    await expect(heading.getByText('Nau Mai, Haere Mai')).toHaveAttribute('lang', 'mi');
    expect((await page.locator('#welcome').boundingBox())?.height).toBe(400);

    const cards = page.getByRole('main').getByRole('listitem').locator('a:has(h2)');
    await expect(cards).toHaveText([
      /^Get Help\s*Reach out for support and guidance$/,
      /^Contact Us\s*Have questions\? We're here to listen\.$/,
    ]);
    const [first, second] = [await cards.nth(0).boundingBox(), await cards.nth(1).boundingBox()];
    const row = (await page.locator('#support ul').boundingBox())?.width ?? 0;
    if (width === 1280) {
      expect(first).toMatchObject({ width: 340, height: 350 });
    } else if (width === 768) {
      // Four columns of twelve, with the gaps between them.
      expect(first?.width).toBeCloseTo((row - 2 * 24) / 3, 0);
      expect(second?.y).toBe(first?.y);
    } else {
      expect(first?.width).toBe(row);
      expect(row).toBe(width - 2 * 16);
    }
    const image = await cards.nth(0).locator('picture').boundingBox();
    expect(image?.height).toBe(240);
    // Choosing anywhere on the card is choosing it.
    await cards.nth(0).click({ position: { x: 20, y: 20 } });
    await expect(page).toHaveURL('/help');
  });

  test(`at ${width} px heading, picture and form of a form page have their places`, async ({ openPage }) => {
    const page = await openPage({ viewport: { width, height: 900 } });
    await page.goto('/contact');
    const photo = await page.locator('main picture').boundingBox();
    expect(photo?.height).toBe(240);
    expect(photo?.width).toBe({ 390: 390, 768: 264, 1280: 1000 - 600 - 40 }[width]);
    // Beside the title, and on a phone after everything else.
    const heading = await page.getByRole('heading', { level: 1 }).boundingBox();
    const beside = (photo?.x ?? 0) >= (heading?.x ?? 0) + (heading?.width ?? 0);
    expect(beside).toBe(width >= 600);
    const form = await page.locator('form').boundingBox();
    expect(form?.width).toBe({ 390: 390 - 32, 768: 600, 1280: 600 }[width]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}
