import type { Page } from '@playwright/test';
import { fillContact, fillHelp, send, textbox } from './forms.ts';
import { expect, hold, menuButton, test, visit } from './site.ts';
import { translate, translated, translateFromTheStart, untranslated } from './translating.ts';

const forms = [
  { path: '/help', card: 'Get Help', fill: fillHelp, thanks: /we have your request/, when: 'before' },
  { path: '/contact', card: 'Contact Us', fill: fillContact, thanks: /we have your message/, when: 'after' },
] as const;

/** Once the translator has caught up: everything is in its words, and so nothing is left from before. */
async function expectTranslated(page: Page): Promise<void> {
  await expect.poll(() => untranslated(page)).toEqual([]);
}

/** Leaves a field empty, and mends it: its message is there and goes, and so does the one at the button. */
async function correctAnError(page: Page): Promise<void> {
  const name = textbox(page, 'First name');
  await name.focus();
  await name.blur();
  const problem = page.getByRole('alert');
  await expect(problem).toHaveText(translated('First name is required'));
  const open = page.locator('form li').getByRole('button', { name: 'First name' });
  await expect(open).toHaveText(translated('First name'));
  await name.fill('x'.repeat(501));
  await expect(problem).toHaveText(translated('First name is longer than 500 characters'));
  await name.fill('Sample');
  await expect(problem).toHaveCount(0);
  await expect(page.getByText('First name is')).toHaveCount(0);
  await expectTranslated(page);
}

for (const { path, card, fill, thanks, when } of forms) {
  test(`${path}, translated ${when} the script takes it over, can be filled in and sent twice`, async ({
    page,
    watch,
  }) => {
    const release = await hold(page, '**/graphql');
    if (when === 'before') {
      // React finds other nodes than it expected, and says that it made the page anew.
      watch.expectComplaint('Minified React error #418');
      await translateFromTheStart(page);
    }
    await visit(page, path);
    if (when === 'after') await translate(page);
    await expectTranslated(page);

    await correctAnError(page);
    await fill(page);
    await expect(textbox(page, 'Subject')).not.toHaveValue('');
    await expect(page.getByText('is required')).toHaveCount(0);
    await expect(send(page)).toHaveText(translated('Send Request'));
    await send(page).click();
    await expect(page.getByRole('button', { name: 'Sending…' })).toHaveText(translated('Sending…'));
    await expectTranslated(page);
    release();

    await expect(page.getByRole('heading', { name: thanks })).toBeFocused();
    await expect(page.locator('strong')).toHaveText(/^‹\S+›$/);
    await expectTranslated(page);
    await page.getByRole('button', { name: 'Make Another Submission' }).click();
    await expect(textbox(page, 'First name')).toHaveValue('');
    await fill(page);
    await expect(send(page)).toHaveText(translated('Send Request'));
    await send(page).click();
    await expect(page.getByRole('heading', { name: thanks })).toBeVisible();

    await page.getByRole('button', { name: 'Go to Home Page' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Nau Mai');
    await page.getByRole('main').getByRole('link', { name: card }).click();
    await expect(textbox(page, 'First name')).toHaveValue('');
    await expectTranslated(page);
  });
}

test('a translated page goes from home to help and home again, by card, menu and Back', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 844 } });
  await visit(page, '/');
  await translate(page);
  const heading = page.getByRole('heading', { level: 1 });
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await expect(heading).toContainText('Request Help');
  await menuButton(page).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Contact Us' }).click();
  await expect(heading).toContainText('Contact Us');
  await page.goBack();
  await expect(heading).toContainText('Request Help');
  await page
    .getByRole('banner')
    .getByRole('link', { name: /Family Support Centre/ })
    .click();
  await expect(heading).toContainText('Nau Mai');
  await expectTranslated(page);
});

test('a send that failed on a translated page leads to the other way, and can be tried again', async ({
  page,
  watch,
}) => {
  watch.expectComplaint('Error submitting form');
  let refuse = true;
  await page.route('**/graphql', (route) =>
    refuse ? route.fulfill({ json: { data: null, errors: [{ message: 'No' }] } }) : route.continue(),
  );
  await visit(page, '/contact');
  await translate(page);
  await fillContact(page);
  await send(page).click();
  await expect(page.locator('section#contact')).toBeFocused();
  await expect(send(page)).toHaveText(translated('Send Request'));
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
  await expectTranslated(page);
  refuse = false;
  await send(page).click();
  await expect(page.locator('strong')).toBeVisible();
});
