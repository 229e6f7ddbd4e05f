import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { fillContact, fillHelp, send, textbox } from './forms.ts';
import { expect, hydrated, test, widths } from './site.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface State {
  name: string;
  path: string;
  reach?: (page: Page) => Promise<void>;
  /** Where the layout changes with them; otherwise a phone's width tells. */
  widths?: readonly number[];
  complaint?: string;
}

const states: State[] = [
  { name: 'the home page', path: '/', widths },
  {
    name: 'the open drawer',
    path: '/',
    widths: [390, 768],
    async reach(page) {
      await page.getByRole('button', { name: 'Menu' }).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  { name: 'the help form', path: '/help', widths, reach: fillHelp },
  {
    name: 'invalid fields',
    path: '/help',
    async reach(page) {
      await textbox(page, 'First name').focus();
      await page.getByRole('checkbox', { name: 'Phone call' }).focus();
      await textbox(page, 'Subject').focus();
      await expect(page.getByText('is required')).toHaveCount(2);
    },
  },
  {
    name: 'sending',
    path: '/contact',
    async reach(page) {
      await page.route('**/graphql', () => new Promise(() => {}));
      await fillContact(page);
      await send(page).click();
      await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible();
    },
  },
  {
    name: 'success',
    path: '/contact',
    async reach(page) {
      await page.clock.install({ time: '2026-06-01T00:00:00Z' });
      await fillContact(page);
      await page.clock.pauseAt('2026-06-01T00:30:00Z');
      await send(page).click();
      // It stays while someone points at it, and axe needs a clock that runs.
      await page.getByText('Your form has been sent.').hover();
      await page.clock.resume();
    },
  },
  {
    name: 'failure',
    path: '/contact',
    complaint: 'Error submitting form',
    async reach(page) {
      await page.route('**/graphql', (route) =>
        route.fulfill({ json: { data: null, errors: [{ message: 'No' }] } }),
      );
      await fillContact(page);
      await send(page).click();
      await expect(page.locator('section#contact')).toBeFocused();
    },
  },
];

for (const { name, path, reach, complaint, widths = [390] } of states) {
  test(`axe finds nothing in ${name}`, async ({ openPage, watch }) => {
    if (complaint) watch.expectComplaint(complaint);
    // A window as high as the page: axe takes what is scrolled half under the fixed footer for too small.
    const page = await openPage({ viewport: { width: 390, height: 3_200 }, reducedMotion: 'reduce' });
    await page.goto(path);
    await hydrated(page);
    await reach?.(page);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 3_200 });
      const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
      const { violations } = await axe.withTags(rules).analyze();
      expect(
        violations.map(({ id, nodes }) => `${width}: ${id} ${nodes.map((node) => node.html).join(' ')}`),
      ).toEqual([]);
    }
  });
}

test('everything one can press is at least 44 px each way', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 390, height: 900 } });
  await page.goto('/help');
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, summary, input, textarea, label:has(input), a')]
      .filter(
        (one) =>
          one.checkVisibility() &&
          !one.matches('p a, li:has(> a):not(nav li, footer li) > a, label input, [href="#main"]'),
      )
      .map((one) => ({ what: one.outerHTML.slice(0, 80), box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 || box.width < 40)
      .map(({ what }) => what),
  );
  expect(small).toEqual([]);
});

test('with the keyboard alone: from the home page to a request that is sent, and back', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } });
  await page.goto('/');
  await hydrated(page);
  const press = async (key: string, times = 1) => {
    for (let count = 0; count < times; count++) await page.keyboard.press(key);
  };

  await press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await press('Enter');
  await press('Tab');
  await expect(page.getByRole('link', { name: 'Get Help' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await press('Tab');
  await expect(page.getByRole('link', { name: 'Call 111' })).toBeFocused();
  await press('Tab', 8);
  await expect(page.getByText('Leave this site fast')).toBeFocused();
  await press('Tab');
  await page.keyboard.type('Sample');
  await press('Tab', 4);
  await press('Space');
  await expect(page.getByRole('checkbox', { name: 'Phone call' })).toBeChecked();
  await press('Tab', 4);
  await press('Space');
  await expect(page.getByRole('checkbox', { name: 'Someone to talk to' })).toBeChecked();
  await press('Tab', 11);
  await page.keyboard.type('A word');
  await press('Tab');
  await page.keyboard.type('With someone.');
  await press('Tab', 2);
  await expect(send(page)).toBeFocused();
  await press('Enter');

  await expect(page.getByRole('heading', { name: 'we have your request' })).toBeFocused();
  await press('Tab');
  await expect(page.getByRole('button', { name: 'Go to Home Page' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Nau Mai');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
