import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, leavingWith } from './leaving.ts';
import { expectNoScrollSideways, expectNoViolations, menuButton } from './site.ts';

const about = `---
title: About {organisation}
subtitle: Who we are
photo: family support
menu: true
menuLabel: About us
---
We help **whānau**. Write to {email}.

# What we do

- Listen
- [Help](/help) with forms

## On paper

1. Ask
2. Wait

<script>document.title = 'taken'</script> <img src=x onerror="document.title = 'taken'">

| Day | Time | Group | Where | Cost |
|-----|------|-------|-------|-----:|
| Monday | 10 am to 12 noon | Parents and babies | The quiet room | free |

> I was not alone.

[Elsewhere](https://www.govt.nz/) or [by phone](tel:0800000000).
`;
const thanks =
  '---\ntitle: Thanks from the whānau of Example Street\n---\nThank you. Read [about us](/about-us).\n';

const test = leavingWith({
  async prepare(contentDir) {
    await mkdir(join(contentDir, 'pages'), { recursive: true });
    await writeFile(join(contentDir, 'pages/thanks.md'), thanks);
    await writeFile(join(contentDir, 'pages/about-us.md'), about);
  },
});

const bar = (page: Page) => page.getByRole('banner');

test('a page that is put beside the others is shown in their frame, and leads on', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 900 } });
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'script' && scripts.push(request.url()));
  await page.goto('/');
  await bar(page).getByRole('link', { name: 'About us' }).click();
  await expect(page).toHaveURL('/about-us');
  await expect(page).toHaveTitle('About Kōwhai Family Support Centre');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About Kōwhai Family Support Centre');
  await expect(page.getByRole('navigation', { name: 'You are here' })).toHaveText('HomeAbout us');
  await expect(bar(page).locator('> nav [aria-current=page]')).toHaveText(['About us']);
  await expect(page.getByRole('main').getByRole('img')).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'kiaora@kowhai.example' })).toBeVisible();
  await expect(page.getByRole('contentinfo')).toBeVisible();

  scripts.length = 0;
  await page.reload();
  await page.waitForLoadState('networkidle');
  expect(scripts).toEqual([]);
  await page.getByRole('main').getByRole('link', { name: 'Help' }).click();
  await expect(page).toHaveURL('/help');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('About Kōwhai Family Support Centre');
});

test('on a phone the drawer links to an own page, without a script too; a page without a menu label is not linked', async ({
  openPage,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await openPage({
      javaScriptEnabled,
      viewport: { width: 390, height: 844 },
    });
    await page.goto('/thanks');
    await menuButton(page).click();
    const drawer = bar(page).locator('details nav');
    await expect(drawer.getByRole('link')).toHaveText([
      'Home',
      'Get Help',
      'Contact Us',
      'About us',
      'Online safety',
    ]);
    await drawer.getByRole('link', { name: 'About us' }).click();
    await expect(page).toHaveURL('/about-us');
    await page.context().close();
  }
});

test('without a photo the heading and the text take the width of the page', async ({ openPage }) => {
  const page = await openPage();
  await page.goto('/thanks');
  for (const [width, least] of [
    [390, 350],
    [768, 600],
    [1280, 1000],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    const box = (selector: string) => page.locator(`main ${selector}`).boundingBox();
    const [path, heading, text] = [await box('nav ol'), await box('h1'), await box('.article')];
    const left = heading?.x ?? Number.NaN;
    const right = Math.max(left + (heading?.width ?? 0), (text?.x ?? 0) + (text?.width ?? 0));
    expect(right - left, `${width} px`).toBeGreaterThanOrEqual(least);
    if (width > 600) expect(path?.height, 'the breadcrumb has one line').toBeLessThan(50);
  }
});

test('a wide table scrolls inside itself, by the keyboard too, and its columns are headed', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 844 } });
  await page.goto('/about-us');
  const table = page.getByRole('region', { name: 'Day, Time, Group, Where, Cost' });
  await expect(table.getByRole('columnheader')).toHaveText(['Day', 'Time', 'Group', 'Where', 'Cost']);
  await page.getByRole('main').getByRole('link', { name: 'Help' }).focus();
  await page.keyboard.press('Tab');
  await expect(table).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect.poll(() => table.evaluate(({ scrollLeft }) => scrollLeft)).toBeGreaterThan(0);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('axe finds nothing in an own page, and nothing written in it became markup or script', async ({
  openPage,
}) => {
  const page = await openPage({ reducedMotion: 'reduce' });
  await page.goto('/about-us');
  await expectNoViolations(page, 'an own page');
  await expectNoScrollSideways(page);
  await expect(page.getByText("<script>document.title = 'taken'</script> <img src=x")).toBeVisible();
  await expect(page).toHaveTitle('About Kōwhai Family Support Centre');
  await expect(page.getByRole('main').locator('script, [onerror]')).toHaveCount(0);
});

test('the exit works from an own page, by a touch and by Shift, and Back leads to nothing of ours', async ({
  openPage,
  neutral,
}) => {
  const page = await openPage();
  const ways = [
    () => bar(page).getByRole('link', { name: 'Quick exit' }).click(),
    async () => {
      for (let press = 0; press < 3; press++) await page.keyboard.press('Shift');
    },
  ];
  for (const leave of ways) {
    await page.goto('/');
    await page.goto('/about-us');
    await leave();
    await page.waitForURL(neutral.url);
    await page.goBack();
    await expect(page).toHaveURL(neutral.url);
  }
});
