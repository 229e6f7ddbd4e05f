import { expect, hydrated, test } from './site.ts';

for (const width of [390, 768]) {
  test(`at ${width} px the menu button opens a drawer with the pages, which closes after a choice`, async ({
    openPage,
  }) => {
    const page = await openPage({ viewport: { width, height: 800 } });
    await page.goto('/');
    await hydrated(page);
    const menu = page.getByRole('button', { name: 'Menu', exact: true });
    const drawer = page.getByRole('dialog', { name: 'Menu' });
    await expect(drawer).toBeHidden();
    await expect(menu).toHaveAttribute('aria-expanded', 'false');

    await menu.click();
    await expect(drawer).toBeVisible();
    await expect(drawer.getByRole('navigation').getByRole('link')).toHaveText([
      'Home',
      'Get Help',
      'Contact Us',
    ]);
    await expect(drawer.getByRole('link', { name: 'Home' })).toHaveAttribute('aria-current', 'page');

    await drawer.getByRole('link', { name: 'Contact Us' }).click();
    await expect(drawer).toBeHidden();
    await expect(page.getByRole('heading', { level: 1, name: 'Contact Us' })).toBeFocused();
    await expect(menu).toHaveAttribute('aria-expanded', 'false');
  });
}

test('the drawer closes by its button, by Esc and by a click beside it, and gives the focus back', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 800 } });
  await page.goto('/');
  await hydrated(page);
  const menu = page.getByRole('button', { name: 'Menu', exact: true });
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
  await page.goto('/');
  await hydrated(page);
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await expect(page).toHaveURL('/help');
});
