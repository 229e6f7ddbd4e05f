import type { Page } from '@playwright/test';
import { fillContact, fillHelp, send, textbox, unfold } from './forms.ts';
import { expect, menuButton } from './site.ts';

/** Every page and every state it can be in, and how to get there. */
export interface State {
  name: string;
  path: string;
  reach?: (page: Page) => Promise<void>;
  /** What the browser complains about there, rightly. */
  complaint?: string;
}

export const states = [
  { name: 'home', path: '/' },
  { name: 'help', path: '/help' },
  { name: 'contact', path: '/contact' },
  {
    name: 'drawer',
    path: '/',
    async reach(page) {
      await menuButton(page).click();
      await expect(page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'help-invalid',
    path: '/help',
    async reach(page) {
      await textbox(page, 'First name').focus();
      await page.getByRole('checkbox', { name: 'Phone call' }).focus();
      await page.getByRole('checkbox', { name: 'Something else' }).focus();
      await expect(page.getByRole('alert')).toHaveCount(2);
    },
  },
  { name: 'help-filled', path: '/help', reach: fillHelp },
  {
    name: 'help-both',
    path: '/help',
    async reach(page) {
      await page.getByRole('checkbox', { name: 'Phone call' }).check();
      await page.getByRole('checkbox', { name: "Please don't contact me" }).check();
      // As in the next state: the bar would lie over a choice.
      await page.getByRole('checkbox', { name: 'Feeling unsafe at home' }).focus();
      await expect(page.getByText('You ticked both')).toBeVisible();
    },
  },
  {
    name: 'help-urgent',
    path: '/help',
    async reach(page) {
      for (const name of ['Feeling unsafe at home', 'Phone call', 'Email'])
        await page.getByRole('checkbox', { name }).check();
      await textbox(page, 'Phone').fill('banana');
      // Back to the numbers: the bar would lie over some of them.
      await page.getByRole('checkbox', { name: 'Feeling unsafe at home' }).focus();
      await expect(page.getByText('This does not look like a phone number')).toBeVisible();
    },
  },
  {
    name: 'help-more',
    path: '/help',
    async reach(page) {
      await unfold(page);
      await page.getByRole('checkbox', { name: 'I am asking for someone else' }).check();
    },
  },
  {
    name: 'help-sent',
    path: '/help',
    async reach(page) {
      await page.clock.install({ time: '2026-06-01T00:00:00Z' });
      await fillHelp(page);
      await page.clock.pauseAt('2026-06-01T00:30:00Z');
      await send(page).click();
      await page.getByText('We have it.').hover();
      await page.clock.resume();
    },
  },
  {
    name: 'contact-sending',
    path: '/contact',
    async reach(page) {
      await page.route('**/graphql', () => new Promise(() => {}));
      await fillContact(page);
      await send(page).click();
      await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible();
    },
  },
  {
    name: 'contact-offline',
    path: '/contact',
    async reach(page) {
      await page.route('**/graphql', () => new Promise(() => {}));
      await fillContact(page);
      await send(page).click();
      await page.evaluate(() => {
        Object.defineProperty(navigator, 'onLine', { value: false });
        dispatchEvent(new Event('offline'));
      });
      await expect(page.getByText('No internet.')).toBeVisible();
    },
  },
  {
    name: 'contact-meant',
    path: '/contact',
    async reach(page) {
      await fillContact(page);
      await textbox(page, 'Email').fill('sample@gmial.com');
      await textbox(page, 'Phone').fill('02155501');
      await textbox(page, 'Subject').focus();
      await expect(page.getByText('Did you mean').first()).toBeVisible();
    },
  },
  {
    name: 'contact-sent',
    path: '/contact',
    async reach(page) {
      await page.clock.install({ time: '2026-06-01T00:00:00Z' });
      await fillContact(page);
      await page.clock.pauseAt('2026-06-01T00:30:00Z');
      await send(page).click();
      // The snackbar stays while someone points at it, and what looks at the page needs a clock that runs.
      await page.getByText('We have it.').hover();
      await page.clock.resume();
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
] as const satisfies readonly State[];
