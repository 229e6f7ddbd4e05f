import { choiceOf, expectLanguage, field, fillContact, reference, test } from './pseudo-site.ts';
import { expect, hydrated, visit } from './site.ts';

test('a language that is pressed with a key held down does not send the form', async ({ page }) => {
  await visit(page, '/contact');
  await fillContact(page);
  await choiceOf(page, 'ar-XB').click({ modifiers: ['Shift'] });
  await expectLanguage(page, 'ar-XB', '/ar-xb/contact');
  await expect(field(page, 'Message')).toHaveValue('Sample');
  await expect(reference(page)).toHaveCount(0);
});

test('a form that is posted in a language that is no longer offered shows its receipt', async ({ page }) => {
  await visit(page, '/contact');
  await fillContact(page);
  await page.evaluate(() => {
    const form = document.querySelector('form') as HTMLFormElement;
    form.setAttribute('action', '/sm/contact');
    HTMLFormElement.prototype.submit.call(form);
  });
  await expect(reference(page)).toBeVisible();
  await expectLanguage(page, 'en-NZ', '/contact');
  await hydrated(page);
  await expect(reference(page)).toBeVisible();
});

test('on a translated page the part of the script for forms may be late, and nothing typed is lost', async ({
  page,
  watch,
}) => {
  watch.expectComplaint('net::ERR_FAILED');
  await page.route('**/assets/FormPage*', (route) => route.abort());
  await page.goto('/ar-xb/help');
  const asked = page.waitForRequest('**/assets/FormPage*');
  await field(page, 'FirstName').fill('Sample');
  await asked;
  await page.unroute('**/assets/FormPage*');
  await hydrated(page);
  await expect(field(page, 'FirstName')).toHaveValue('Sample');
  await expectLanguage(page, 'ar-XB', '/ar-xb/help');
});
