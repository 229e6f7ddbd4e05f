import type { Page } from '@playwright/test';
import { letTimePass } from './sending.ts';
import { expect, test, visit } from './site.ts';

/** The rules that a form gets as a file, after its first paint (docs/decisions/0137). */

const file = '**/assets/later-*.css';
const followHome = (page: Page) => page.getByRole('banner').locator('> a').first().click();
const cards = (page: Page) => page.locator('#support ul');

/** How the content of the home page is laid out, without the pictures themselves, one of which is picked at random. */
const layout = (page: Page) =>
  page.locator('main').evaluate((main) =>
    [...main.querySelectorAll(':not(source)')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const { color, backgroundImage, boxShadow, fontSize, fontWeight } = getComputedStyle(element);
      return [element.tagName, x, y, width, height, color, backgroundImage, boxShadow, fontSize, fontWeight];
    }),
  );

for (const width of [390, 1280]) {
  test(`at ${width} px home looks the same from a form as loaded by itself`, async ({ openPage }) => {
    const page = await openPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    await visit(page, '/');
    const loaded = await layout(page);
    await visit(page, '/help');
    await page.waitForLoadState('networkidle');
    await followHome(page);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Nau Mai/);
    expect(await layout(page)).toEqual(loaded);
  });
}

test('where the file was lost, home can be read all the same, and has its looks once the file is there', async ({
  openPage,
  watch,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 844 } });
  watch.expectComplaint('net::ERR_CONNECTION_RESET');
  await page.clock.install();
  let isLost = true;
  await page.route(file, (route) => (isLost ? route.abort('connectionreset') : route.continue()));
  await visit(page, '/help');
  await page.getByRole('textbox', { name: 'First name' }).fill('Ana');
  await followHome(page);
  await expect(cards(page)).toHaveCSS('display', 'block');
  // Nothing lies over the first words.
  await page.locator('main p').first().click({ trial: true });
  await page.getByRole('main').getByRole('link', { name: 'Contact Us' }).click({ trial: true });
  // A notice would be seen, wherever the page is scrolled to.
  await expect(page.locator('#root [role=status]').last()).toHaveCSS('position', 'fixed');
  isLost = false;
  const hasLooks = () => cards(page).evaluate((list) => getComputedStyle(list).display === 'flex');
  await letTimePass(page, hasLooks);
  await page.goBack();
  await expect(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Ana');
});
