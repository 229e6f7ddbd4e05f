import type { Page } from '@playwright/test';

/** Filling in the forms as content/ has them, with invented answers. */

export const send = (page: Page) => page.getByRole('button', { name: /Send Request|Sending/ });
export const textbox = (page: Page, name: string) => page.getByRole('textbox', { name });

export async function fillContact(page: Page): Promise<void> {
  await textbox(page, 'First name').fill('Sample');
  await textbox(page, 'Email').fill('sample@visitor.example');
  await textbox(page, 'Subject').fill('A question');
  await textbox(page, 'Your message to us').fill('What are your hours?');
}

/** Opens the fold of the help form, in any language, as a visitor does. */
export async function unfold(page: Page): Promise<void> {
  const fold = page.locator('form details').filter({ has: page.locator('textarea') });
  if ((await fold.getAttribute('open')) === null) await fold.locator('summary').click();
}

export async function fillHelp(page: Page): Promise<void> {
  await textbox(page, 'First name').fill('Sample');
  await page.getByRole('checkbox', { name: 'Text message' }).check();
  await page.getByRole('checkbox', { name: 'Someone to talk to' }).check();
  await unfold(page);
  await textbox(page, 'Subject').fill('A quiet word');
  await textbox(page, 'Tell us what is going on').fill('Some words about it.');
}
