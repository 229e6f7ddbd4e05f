import { expect, hydrated, menuButton, test, visit, widths } from './site.ts';

const name = 'Kōwhai Family Support Centre';

for (const width of widths) {
  test(`at ${width} px the bar leads home, and the footer is ${width < 960 ? 'not ' : ''}fixed`, async ({
    openPage,
  }) => {
    const page = await openPage({ viewport: { width, height: 800 } });
    await visit(page, '/help');
    const bar = page.getByRole('banner');
    await expect(bar).toHaveCSS('box-shadow', 'none');
    const home = bar.getByRole('link', { name });
    expect((await home.locator('img').boundingBox())?.width).toBe(width < 960 ? 40 : 60);
    await expect(home.getByText('Kōwhai')).toHaveAttribute('lang', 'mi');
    const footer = page.getByRole('contentinfo');
    const year = new Intl.DateTimeFormat('en', { timeZone: 'Pacific/Auckland', year: 'numeric' }).format(
      new Date(),
    );
    await expect(footer).toContainText(`© ${year} ${name}`);
    await expect(footer).toHaveCSS('position', width < 960 ? 'static' : 'fixed');
    await expect(footer).toHaveCSS('border-top-width', width < 960 ? '0px' : '1px');

    await home.click();
    await expect(page).toHaveURL('/');
    await expect(page).toHaveTitle(name);
  });
}

test('no form has a link in its footer that would load another page and empty it', async ({ openPage }) => {
  const page = await openPage();
  const link = page.getByRole('contentinfo').getByRole('link', { name: 'Accessibility' });
  await visit(page, '/');
  await expect(link).toHaveAttribute('href', '/accessibility');
  await page.getByRole('main').getByRole('link', { name: 'Contact Us' }).click();
  await expect(page.getByRole('textbox', { name: 'First name' })).toBeVisible();
  await expect(link).toHaveCount(0);
  await page.goto('/help');
  await expect(link).toHaveCount(0);
});

test('the content is as high as the window less bar and footer, after every resize', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 1600 } });
  await page.goto('/');
  for (const size of [
    { width: 1280, height: 1600 },
    { width: 1280, height: 1200 },
    { width: 390, height: 1900 },
  ]) {
    await page.setViewportSize(size);
    const heights = await page.evaluate(() =>
      ['header', 'main', 'footer'].map(
        (part) => document.querySelector(part)?.getBoundingClientRect().height ?? 0,
      ),
    );
    expect(heights.reduce((sum, height) => sum + height)).toBeCloseTo(size.height, 0);
  }
});

test('every navigation goes to the top, names the tab and gives the heading the focus', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 700 } });
  await visit(page, '/');
  const toTheEnd = () => page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  const scrolled = () => page.evaluate(() => scrollY);

  await toTheEnd();
  await page.getByRole('main').getByRole('link', { name: 'Contact Us' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Contact Us' })).toBeFocused();
  await expect.poll(scrolled).toBe(0);
  await expect(page).toHaveTitle(`Contact Us – ${name}`);
  await expect(page.getByRole('status').getByText(`Contact Us – ${name}`)).toBeAttached();

  await toTheEnd();
  await page.goBack();
  await expect(page).toHaveTitle(name);
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect.poll(scrolled).toBe(0);

  await toTheEnd();
  await page.getByRole('banner').getByRole('link', { name }).click();
  await expect.poll(scrolled).toBe(0);
});

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`pages fade into one another, motion: ${reducedMotion}`, async ({ openPage }) => {
    const page = await openPage({ reducedMotion });
    await visit(page, '/');
    await page.evaluate(() => {
      const start = document.startViewTransition.bind(document);
      document.startViewTransition = (update) => {
        const transition = start(update);
        const names = () =>
          document
            .getAnimations()
            .map((one) => (one instanceof CSSAnimation ? one.animationName : ''))
            .filter((animation) => animation.startsWith('fade'));
        void transition.ready.then(() => Object.assign(globalThis, { faded: names().toSorted() }));
        return transition;
      };
    });
    await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
    const faded = () => page.evaluate(() => (globalThis as { faded?: string[] }).faded);
    await expect.poll(faded).toEqual(reducedMotion === 'reduce' ? [] : ['fade-in', 'fade-out']);
  });
}

test('any other path leads home, in the browser as on the server', async ({ page }) => {
  await page.goto('/no/such/page');
  await expect(page).toHaveURL('/');
  await hydrated(page);
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  // Until the page is there, its address is only where the way leads.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Request Help');
  await page.evaluate(() => history.replaceState(null, '', '/nowhere'));
  await page.getByRole('navigation', { name: 'You are here' }).getByRole('link').click();
  await page.getByRole('main').getByRole('link', { name: 'Contact' }).click();
  await expect(page).toHaveURL('/contact');
  await page.evaluate(() => history.go(-2));
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Nau Mai');
  await page.goto('/help/');
  await expect(page).toHaveURL('/help');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Request Help');
});

/** Whether what has the focus is between the bar and the footer, in the page. */
function isClear(): boolean {
  const active = document.activeElement as HTMLElement;
  const box = active.getBoundingClientRect();
  const inShell = active.closest('header, footer') !== null || active.getAttribute('href') === '#main';
  const fixed = getComputedStyle(document.querySelector('footer') as Element).position === 'fixed';
  const foot = fixed ? innerHeight - 64 : innerHeight;
  // Browsers scroll a tall text area only to where its caret is.
  const end = box.top + Math.min(box.height, 44);
  // A language is larger to the touch than it looks.
  const touch = Math.max(0, -Number.parseFloat(getComputedStyle(active).marginBlockStart));
  return inShell || (box.top + touch >= 64 && end <= foot);
}

for (const width of [390, 1280]) {
  test(`at ${width} px nothing that has the focus is under the bar or the footer`, async ({ openPage }) => {
    const page = await openPage({ viewport: { width, height: 640 } });
    await visit(page, '/help');
    const seen = new Set<string>();
    for (;;) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(() => document.activeElement === document.body)) break;
      seen.add(await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? ''));
      // Once the browser has scrolled to it, which may take it a moment.
      await expect.poll(() => page.evaluate(isClear), { message: [...seen].at(-1) ?? '' }).toBe(true);
    }
    expect(seen.size).toBeGreaterThan(25);
  });
}

test('section links: in the bar on wide screens, in the drawer on small ones, 64 px above their section', async ({
  openPage,
  ownSite,
}) => {
  const site = await ownSite({ site: [['sectionLinks: []', 'sectionLinks: [Form, Contact]']] });
  const wide = await openPage({ baseURL: site.url, viewport: { width: 1280, height: 500 } });
  await visit(wide, '/contact');
  const top = (page: typeof wide, id: string) => () =>
    page.evaluate((id) => Math.round(document.getElementById(id)?.getBoundingClientRect().top ?? 0), id);
  await expect(menuButton(wide)).toBeHidden();
  await wide.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Form' }).click();
  await expect.poll(top(wide, 'form')).toBe(64);
  await expect(wide.locator('#form')).toBeFocused();

  const small = await openPage({
    baseURL: site.url,
    viewport: { width: 390, height: 500 },
    reducedMotion: 'reduce',
  });
  await visit(small, '/contact');
  await menuButton(small).click();
  const drawer = small.getByRole('dialog');
  await drawer.getByRole('link', { name: 'Form', exact: true }).click();
  await expect(drawer).toBeHidden();
  expect(await top(small, 'form')()).toBe(64);
});
