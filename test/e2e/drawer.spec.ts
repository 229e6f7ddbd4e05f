import { expect, hold, hydrated, menuButton, test, visit } from './site.ts';

test('the menu button opens a drawer with the pages, which closes after a choice', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 390, height: 800 } });
  await visit(page, '/');
  const menu = menuButton(page);
  const isOpen = page.locator('header details[open]');
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expect(drawer).toBeHidden();
  await expect(isOpen).toHaveCount(0);

  await menu.click();
  await expect(drawer).toBeVisible();
  await expect(drawer.getByRole('navigation').getByRole('link')).toHaveText([
    'Home',
    'Get Help',
    'Contact Us',
    'Online safety',
  ]);
  await expect(drawer.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');

  await drawer.getByRole('link', { name: 'Contact Us' }).click();
  await expect(drawer).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: 'Contact Us' })).toBeFocused();
  await expect(isOpen).toHaveCount(0);
});
test('the drawer closes by its button, by Esc and by a click beside it, and gives the focus back', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 800 } });
  await visit(page, '/');
  const menu = menuButton(page);
  const drawer = page.getByRole('dialog');
  const ways = [
    () => page.getByRole('button', { name: 'Close menu' }).click(),
    () => page.keyboard.press('Escape'),
    () => page.mouse.click(380, 400),
  ];
  for (const close of ways) {
    await menu.click();
    await expect(drawer).toBeVisible();
    await close();
    await expect(drawer).toBeHidden();
    await expect(menu).toBeFocused();
  }
});

test('a window that grows past the breakpoint does not stay behind an open drawer', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 768, height: 800 } });
  await visit(page, '/');
  await menuButton(page).click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await expect(page).toHaveURL('/help');
});

test('from the first paint, while the script is still loading, the drawer opens and closes', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 800 } });
  await page.route('**/assets/*', () => new Promise(() => {}));
  await page.goto('/help', { waitUntil: 'commit' });
  const drawer = page.getByRole('dialog');
  await menuButton(page).click();
  await expect(page.getByRole('button', { name: 'Close menu' })).toBeFocused();
  // Modal: all around, back to the browser itself, and never into the page behind it.
  for (let stops = 0; stops < 8; stops++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('main, footer, header > a'))).toBeNull();
  }
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(menuButton(page)).toBeFocused();
  await menuButton(page).press('Enter');
  await expect(drawer).toBeVisible();
  await drawer.getByRole('link', { name: 'Contact Us' }).click();
  await expect(page).toHaveURL('/contact');
});

test('a drawer that was opened before React took the page over stays open, and closes', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 800 } });
  const letGo = await hold(page, '**/assets/*');
  await page.goto('/', { waitUntil: 'commit' });
  await menuButton(page).click();
  letGo();
  await hydrated(page);
  const drawer = page.getByRole('dialog');
  await expect(drawer).toBeVisible();
  await drawer.getByRole('link', { name: 'Get Help' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Request Help' })).toBeFocused();
  await expect(drawer).toBeHidden();
});

test('without scripts the menu opens, leads on and closes, and the exit stays in reach', async ({
  openPage,
}) => {
  const page = await openPage({ javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  await page.goto('/');
  const drawer = page.getByRole('dialog', { name: 'Menu' });
  await expect(drawer).toBeHidden();
  await menuButton(page).click();
  await expect(drawer).toBeInViewport({ ratio: 1 });
  await expect(drawer.getByRole('link', { name: 'Quick exit' })).toBeInViewport({ ratio: 1 });
  // No button is left that would do nothing.
  await expect(drawer.getByRole('button')).toHaveCount(0);
  // What opened it is above it still.
  await menuButton(page).click();
  await expect(drawer).toBeHidden();
  await menuButton(page).press('Enter');
  await drawer.getByRole('link', { name: 'Contact Us' }).click();
  await expect(page).toHaveURL('/contact');
  await expect(page.getByRole('heading', { level: 1, name: 'Contact Us' })).toBeVisible();
});
