import { fillContact, send, textbox } from './forms.ts';
import { expect, test, visit } from './site.ts';

test('a number or an email that cannot be one is doubted softly once it was left, and can be sent', async ({
  page,
}) => {
  await visit(page, '/contact');
  await fillContact(page);
  const doubt = page.getByText('This does not look like an email. Can you check it?');
  await textbox(page, 'Email').fill('not an email');
  await textbox(page, 'Phone').fill('banana');
  await textbox(page, 'Subject').focus();
  await expect(page.locator('form').getByRole('status').filter({ has: doubt })).toHaveCount(1);
  await expect(textbox(page, 'Email')).toHaveAccessibleDescription(/This does not look like an email/);
  await expect(textbox(page, 'Email')).toHaveAttribute('aria-invalid', 'false');
  await expect(textbox(page, 'Phone')).toHaveAccessibleDescription(/This does not look like a phone number/);
  await page.getByRole('button', { name: 'This does not look like an email' }).press('Enter');
  await page.keyboard.type('@visitor.example');
  await expect(doubt).toHaveCount(0);
  await textbox(page, 'Email').fill('not an email');
  await send(page).click();
  await expect(page.getByText('We cannot reach you')).toBeVisible();
  await expect(page.getByText('We will reply')).toHaveCount(0);
});

test('an email with a likely mistake is doubted once it was left, and a press puts it right', async ({
  page,
}) => {
  await visit(page, '/contact');
  await fillContact(page);
  const email = textbox(page, 'Email');
  const meant = page.getByRole('button', { name: 'Did you mean sample@gmail.com?' });
  await email.fill('sample@gmial');
  await expect(meant).toHaveCount(0);
  await textbox(page, 'Subject').focus();
  // At the question, where it is said, and above Send.
  await expect(meant).toHaveCount(2);
  await expect(page.locator('form').getByRole('status').filter({ has: meant })).toHaveCount(1);
  await expect(email).toHaveAccessibleDescription(/Did you mean sample@gmail.com\?/);
  for (const one of ['first', 'last'] as const) {
    await email.fill('sample@gmial.com');
    await email.blur();
    await meant[one]().press('Enter');
    await expect(email).toHaveValue('sample@gmail.com');
    await expect(email).toBeFocused();
    await expect(meant).toHaveCount(0);
  }
  // While it is typed again, nothing is said of it.
  await email.fill('sample@gmail,com');
  await email.blur();
  await expect(meant).toHaveCount(2);
  await email.press('End');
  await page.keyboard.type('m');
  await expect(page.getByText('Did you mean')).toHaveCount(0);
  await send(page).click();
  await expect(page.getByText('We cannot reach you')).toBeVisible();
});
