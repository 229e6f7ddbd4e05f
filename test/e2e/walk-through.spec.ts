import type { Page } from '@playwright/test';
import { fillContact, fillHelp, send, textbox } from './forms.ts';
import { expect, hydrated, test } from './site.ts';

/**
 * What a screen reader finds on each page and in each state, in its order: names, roles, levels, states. The files in
 * aria/ are read like a page; docs/accessibility.md says what was looked for.
 */
const states: { name: string; path: string; complaint?: string; reach?: (page: Page) => Promise<void> }[] = [
  { name: 'home', path: '/' },
  { name: 'help', path: '/help' },
  { name: 'contact', path: '/contact' },
  {
    name: 'drawer',
    path: '/',
    async reach(page) {
      await page.getByRole('button', { name: 'Menu' }).click();
    },
  },
  {
    name: 'help-invalid',
    path: '/help',
    async reach(page) {
      await textbox(page, 'First name').focus();
      await page.getByRole('checkbox', { name: 'Phone call' }).focus();
      await textbox(page, 'Subject').focus();
    },
  },
  { name: 'help-filled', path: '/help', reach: fillHelp },
  {
    name: 'contact-sending',
    path: '/contact',
    async reach(page) {
      await page.route('**/graphql', () => new Promise(() => {}));
      await fillContact(page);
      await send(page).click();
    },
  },
  {
    name: 'contact-sent',
    path: '/contact',
    async reach(page) {
      await fillContact(page);
      await send(page).click();
      await page.getByText('Your form has been sent.').hover();
    },
  },
  {
    name: 'contact-failed',
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

for (const { name, path, complaint, reach } of states) {
  test(`a screen reader's way through ${name}`, async ({ openPage, watch }) => {
    if (complaint) watch.expectComplaint(complaint);
    const page = await openPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    await page.goto(path);
    await hydrated(page);
    await reach?.(page);
    await expect(page.locator('body')).toMatchAriaSnapshot({ name: `${name}.aria.yml` });
  });
}
