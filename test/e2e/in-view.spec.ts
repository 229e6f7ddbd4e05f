import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { expect, test } from './site.ts';

/** What matters is seen without a touch, and can be read on every cover. */

const windows = [
  { width: 320, height: 568 },
  { width: 600, height: 800 },
  { width: 1280, height: 720 },
] as const;

const getHelp = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Get Help' });
const emergency = (page: Page) => page.getByRole('main').locator('a[href="tel:111"]:visible').first();

test('Get Help and the way out are not taken for one another, and neither is red', async ({ openPage }) => {
  for (const viewport of windows) {
    const page = await openPage({ viewport });
    await page.goto('/');
    const look = (link: Locator) =>
      link.evaluate((node) => {
        const { left, right } = node.getBoundingClientRect();
        return { left, right, colour: getComputedStyle(node).backgroundColor };
      });
    const help = await look(getHelp(page));
    const exit = await look(page.getByRole('banner').getByRole('link', { name: 'Quick exit' }));
    expect(help.right).toBeLessThan(exit.left);
    expect(help.colour).not.toBe(exit.colour);
    const danger = await emergency(page).evaluate((node) => getComputedStyle(node).color);
    expect([help.colour, exit.colour]).not.toContain(danger);
  }
});

/** As WCAG 2 has it. */
function luminance(red: number, green: number, blue: number): number {
  const linear = (value: number) =>
    value <= 0.04045 * 255 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** White on the brightest pixel behind the words of the cover. The rendition is put in place first; null is a white one. */
async function worstContrast(page: Page, folder: string | null): Promise<number> {
  const picture = page.locator('#welcome picture');
  await picture.evaluate(async (node, folder) => {
    const image = node.querySelector('img') as HTMLImageElement;
    if (folder === null) {
      node.replaceChildren();
      node.setAttribute('style', 'background: #fff');
      return;
    }
    for (const one of node.querySelectorAll('source, img')) {
      const set = one.getAttribute('srcset') ?? '';
      one.setAttribute('srcset', set.replace(/\/photos\/[^/]+/g, folder));
    }
    await image.decode();
  }, folder);
  const words = page.locator('#welcome h1 > span:not(.visually-hidden)');
  let brightest = 0;
  for (const line of await words.all()) {
    const box = await line.evaluate((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      const { x, y, width, height } = range.getBoundingClientRect();
      return { x, y, width, height };
    });
    await page.locator('#welcome h1').evaluate((node) => node.setAttribute('style', 'visibility: hidden'));
    const { data, info } = await sharp(await page.screenshot({ clip: box }))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    await page.locator('#welcome h1').evaluate((node) => node.removeAttribute('style'));
    for (let at = 0; at < data.length; at += info.channels) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
      brightest = Math.max(brightest, luminance(red, green, blue));
    }
  }
  return 1.05 / (brightest + 0.05);
}

test("the cover's words have a contrast of 7:1 on each of the five, and on a white photo", async ({
  openPage,
}) => {
  // The pictures are exchanged in the page, which its content policy would not let a style do.
  const page = await openPage({ bypassCSP: true, reducedMotion: 'reduce' });
  for (const viewport of windows) {
    await page.setViewportSize(viewport);
    await page.goto('/');
    const folders: string[] = await page.evaluate(() =>
      JSON.parse(document.getElementById('page-data')?.textContent ?? '').photos.covers.map(
        ({ folder }: { folder: string }) => folder,
      ),
    );
    expect(folders).toHaveLength(5);
    for (const folder of [...folders, null])
      expect(await worstContrast(page, folder), `${viewport.width} px, ${folder}`).toBeGreaterThanOrEqual(7);
  }
});
