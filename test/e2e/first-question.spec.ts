import type { Locator, Page } from '@playwright/test';
import { send, textbox } from './forms.ts';
import { expect, test, visit } from './site.ts';

/** Where the first question begins, in heights of the window, from the top of the page. */
const screensToFirstQuestion = async (page: Page, path: string) => {
  await page.goto(path);
  const box = await page.locator('form input').first().boundingBox();
  return (box?.y ?? Number.NaN) / (page.viewportSize()?.height ?? 0);
};

for (const { what, screens, windows } of [
  {
    what: 'small phones',
    screens: 1.5,
    windows: [
      [360, 640],
      [390, 664],
      [412, 732],
    ],
  },
  {
    what: 'wide screens',
    screens: 1,
    windows: [
      [768, 1024],
      [1280, 720],
      [1280, 800],
      [1920, 1080],
    ],
  },
] as const) {
  test(`on ${what} the first question begins within ${screens} of a screen`, async ({ openPage }) => {
    for (const [width, height] of windows) {
      const page = await openPage({ viewport: { width, height } });
      expect(await screensToFirstQuestion(page, '/help'), `${width} by ${height}`).toBeLessThanOrEqual(
        screens,
      );
      expect(await screensToFirstQuestion(page, '/contact'), 'Contact Us').toBeLessThanOrEqual(1);
    }
  });
}

test('on a small phone 111, two helplines and the way to the form are in view at once', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 360, height: 640 } });
  await page.goto('/help');
  for (const name of ['Call 111', 'Call 0800 733 843', 'Call 0800 456 450', 'Go to the form']) {
    await expect(page.getByRole('link', { name })).toBeInViewport({ ratio: 1 });
  }
  // How to call without a word.
  await expect(page.getByText('press 55')).toBeInViewport({ ratio: 1 });
});

test('the way to the form leads there without a script, and the next Tab is the first question', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 664 }, javaScriptEnabled: false });
  await page.goto('/help');
  await page.getByRole('link', { name: 'Go to the form' }).press('Enter');
  const first = page.getByRole('checkbox', { name: 'Feeling unsafe at home' });
  await expect(first).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Tab');
  await expect(first).toBeFocused();
});

test('on a wide screen the helplines stay beside the questions, and unfold there', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 1280, height: 720 } });
  await page.goto('/help');
  const last = page.getByRole('checkbox', { name: 'Text message' });
  await last.focus();
  await expect(page.getByRole('link', { name: 'Call 0800 733 843' })).toBeInViewport({ ratio: 1 });
  await page.getByText('More helplines').click();
  const lastLine = page.getByRole('link', { name: 'Call 105' });
  await lastLine.focus();
  await expect(lastLine).toBeInViewport({ ratio: 1 });
  await expect(last).toBeInViewport();
});

test('a choice is a large tile with an edge, and a ticked one differs by more than its colour', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 664 }, forcedColors: 'active' });
  await page.goto('/help');
  const choice = page.getByRole('checkbox', { name: 'Text message' });
  const tile = page.locator('label').filter({ has: choice });
  expect((await tile.boundingBox())?.height).toBeGreaterThanOrEqual(48);
  await expect(tile).toHaveCSS('border-top-style', 'solid');
  await choice.check();
  const drawn = await tile
    .locator('span')
    .evaluate((words) => getComputedStyle(words, '::before').borderTopWidth);
  expect(drawn).toBe('3px');
});

test('every question looks alike, and an error does not look like danger', async ({ page }) => {
  await visit(page, '/help');
  const look = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => {
        const { fontFamily, fontSize, fontWeight, color } = getComputedStyle(one);
        return { fontFamily, fontSize, fontWeight, color };
      });
  expect(await look('legend h2')).toEqual(await look('label[for]'));

  await textbox(page, 'First name').focus();
  await page.getByRole('checkbox', { name: 'Email' }).focus();
  const problem = await look('form [role=alert]');
  const danger = await look('a[href="tel:111"]');
  expect(problem.color).not.toBe(danger.color);
});

test('on a phone a request takes five taps and a letter, and one that can be answered a tap and its number more', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 664 }, hasTouch: true });
  for (const [number, says] of [
    ['', 'We cannot reach you'],
    ['021 000 000', 'We will get in touch within two working days'],
  ] as const) {
    let taps = 0;
    const tap = async (what: Locator) => {
      taps++;
      await what.tap();
    };
    await visit(page, '/');
    await tap(page.getByRole('main').getByRole('link', { name: 'Get Help' }));
    await tap(textbox(page, 'First name'));
    await page.keyboard.type('S');
    await tap(page.getByRole('checkbox', { name: 'Phone call' }));
    if (number) {
      await tap(textbox(page, 'Phone'));
      await page.keyboard.type(number);
    }
    await tap(page.getByRole('checkbox', { name: 'Housing' }));
    await tap(send(page));
    await expect(page.getByText(says)).toBeVisible();
    expect(taps).toBe(number ? 6 : 5);
  }
});

test('on a phone the button is near: 2,400 px from the top, 3,000 with a call, whatever is asked then', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 844 } });
  await visit(page, '/help');
  const top = () => send(page).evaluate((button) => Math.round(button.getBoundingClientRect().top + scrollY));
  expect(await top()).toBeLessThanOrEqual(2_400);
  await page.getByRole('checkbox', { name: 'Phone call' }).check();
  await expect(page.getByRole('group', { name: 'When is it safe to call or text?' })).toBeVisible();
  expect(await top()).toBeLessThanOrEqual(3_000);
});
