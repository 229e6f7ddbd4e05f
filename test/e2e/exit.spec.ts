import type { Page } from '@playwright/test';
import { fillHelp, textbox } from './forms.ts';
import { expect, test } from './leaving.ts';
import { menuButton, visit } from './site.ts';

const exit = (page: Page) => page.getByRole('banner').getByRole('link', { name: 'Quick exit' });
const firstName = (page: Page) => textbox(page, 'First name');

async function pressShift(page: Page, times: number): Promise<void> {
  for (let press = 0; press < times; press++) await page.keyboard.press(press % 2 ? 'ShiftRight' : 'Shift');
}

test('the exit empties the page at once, and Back leads to nothing of ours', async ({ page, neutral }) => {
  await visit(page, '/');
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await page.waitForURL('/help');
  await fillHelp(page);

  // What there is to see while the other page is on its way. Playwright itself waits for that page.
  await page.evaluate(() => {
    const look = () => ({
      title: document.title,
      shown: document.body.innerText,
      announced: document.querySelector('body > [role=alert]')?.textContent,
      stillThere: document.documentElement.outerHTML.includes('Some words about it'),
    });
    // biome-ignore lint/suspicious/noConsole: it is how the page tells the test
    const tell = () => console.log(JSON.stringify(look()));
    document.addEventListener('forget', () => setTimeout(tell), { once: true });
  });
  const seen = page.waitForEvent('console');
  await page.route(neutral.url, async (route) => {
    await seen;
    await route.continue();
  });
  await exit(page).click();
  expect(JSON.parse((await seen).text())).toEqual({
    title: 'Loading',
    shown: 'Loading',
    announced: 'Loading',
    stillThere: false,
  });
  await page.waitForURL(neutral.url);
  expect(neutral.referrers.at(-1)).toBeNull();
  await page.goBack();
  await expect(page).toHaveURL(neutral.url);
  expect(neutral.referrers.at(-1)).toBeNull();
});

test('a link within the page adds no history entry that Back could lead to after the exit', async ({
  openPage,
  neutral,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 664 } });
  await visit(page, '/');
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await page.waitForURL('/help');
  await page.getByRole('link', { name: 'Go to the form' }).click();
  await expect(page.getByRole('heading', { name: /^The kind of help you need/ })).toBeInViewport();
  await exit(page).click();
  await page.waitForURL(neutral.url);
  await page.goBack();
  await expect(page).toHaveURL(neutral.url);
});

test('three presses of Shift leave, and each is spoken and shown', async ({ page, neutral }) => {
  await page.goto('/help');
  const spoken = page.locator('#leaving');
  await firstName(page).pressSequentially('He SHOUTS At Us');
  await expect(spoken).toHaveText('');
  await expect(spoken).toHaveClass('visually-hidden');
  await pressShift(page, 1);
  await expect(spoken).toHaveText('Shift pressed once. Press it two more times to leave.');
  await expect(spoken).not.toHaveClass('visually-hidden');
  await expect(spoken).toBeInViewport({ ratio: 1 });
  await pressShift(page, 1);
  await expect(spoken).toHaveText('Shift pressed twice. Press it one more time to leave.');
  await page.keyboard.press('a');
  await expect(spoken).toHaveText('');
  await expect(spoken).toHaveClass('visually-hidden');
  await pressShift(page, 3);
  await page.waitForURL(neutral.url);
  expect(await page.evaluate(() => history.length)).toBe(2);
});

test('a Shift that is not followed in time does not count', async ({ page }) => {
  await page.clock.install();
  await page.goto('/contact');
  await pressShift(page, 2);
  await page.clock.fastForward(5_100);
  await expect(page.locator('#leaving')).toHaveText('You are still on this page.');
  await expect(page.locator('#leaving')).toHaveClass('visually-hidden');
  await pressShift(page, 2);
  await expect(page.locator('#leaving')).toHaveText(/^Shift pressed twice/);
  await expect(page).toHaveURL('/contact');
});

test('the keyboard reaches the exit before the page', async ({ page, neutral }) => {
  await page.goto('/help');
  for (const name of [
    /^Skip/,
    /Centre/,
    'Get Help',
    'Contact Us',
    'Online safety',
    /^Quick exit \(or press Shift three times\)/,
  ]) {
    await page.keyboard.press('Tab');
    await expect(page.getByRole('link', { name }).first()).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(neutral.url);
});

const ways: Record<string, (page: Page) => Promise<void>> = {
  'the exit': (page) => exit(page).click(),
  Shift: (page) => pressShift(page, 3),
};

for (const [way, leave] of Object.entries(ways)) {
  test(`before its scripts have come, the page can be left by ${way} and forgets`, async ({
    page,
    neutral,
  }) => {
    await page.route('**/assets/**', () => {});
    await page.goto('/help', { waitUntil: 'commit' });
    await firstName(page).fill('typed on a slow phone');
    await leave(page);
    await page.waitForURL(neutral.url);
    await page.goBack();
    await expect(page).toHaveURL('about:blank');
  });
}

test('without JavaScript the exit is a link, and the form says to close the window', async ({
  openPage,
  neutral,
}) => {
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto('/help');
  await expect(page.locator('noscript p')).toContainText('Your answers may stay behind Back');
  await expect(page.locator('noscript p')).toContainText('close this window');
  await expect(exit(page)).toHaveAttribute('rel', 'nofollow noreferrer');
  await exit(page).click();
  await page.waitForURL(neutral.url);
  expect(neutral.referrers.at(-1)).toBeNull();
});

test('the open drawer has the exit in the same place', async ({ openPage, neutral }) => {
  const page = await openPage({ viewport: { width: 320, height: 640 } });
  await visit(page, '/contact');
  const before = await exit(page).boundingBox();
  await menuButton(page).click();
  const inDrawer = page.getByRole('dialog').getByRole('link', { name: 'Quick exit' });
  await expect.poll(() => inDrawer.boundingBox()).toEqual(before);
  await inDrawer.click();
  await page.waitForURL(neutral.url);
});

test('from 960 px on the hint is in sight, and not where nothing counts the presses', async ({
  openPage,
}) => {
  const shown = async (width: number, javaScriptEnabled = true) => {
    const page = await openPage({ viewport: { width, height: 640 }, javaScriptEnabled });
    await page.goto('/help');
    const box = await exit(page).getByText('or press Shift three times').boundingBox();
    return (box?.width ?? 0) > 100;
  };
  expect([await shown(959), await shown(960), await shown(1280, false)]).toEqual([false, true, false]);
});
