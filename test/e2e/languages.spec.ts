import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { mirror } from '../support/pseudo-language.ts';
import type { SiteServer } from '../support/site-server.ts';
import { unfold } from './forms.ts';
import {
  choice,
  choiceOf,
  expectLanguage,
  field,
  fillContact,
  reference,
  root,
  sendButton,
  test,
} from './pseudo-site.ts';
import { expect, hydrated, visit } from './site.ts';

async function mailAbout(site: SiteServer, wanted: string) {
  const folder = join(site.dataDir, 'mail');
  await expect.poll(async () => (await readdir(folder).catch(() => [])).join()).toContain(wanted);
  const name = (await readdir(folder)).find((one) => one.includes(wanted)) ?? '';
  return PostalMime.parse(await readFile(join(folder, name)));
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with a script' : 'without a script';

  test(`${how} a request is begun in the original, corrected and sent from right to left, and staff read it in the original`, async ({
    openPage,
    watch,
    site,
  }) => {
    const page = await openPage({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
    await page.goto('/help');
    if (javaScriptEnabled) await hydrated(page);
    await field(page, 'FirstName').fill('Sample');
    await choice(page, 'Text message').check();
    await unfold(page);
    await field(page, 'Message').fill('Some words about it.');

    await choiceOf(page, 'ar-XB').click();
    await expectLanguage(page, 'ar-XB', '/ar-xb/help');
    await expect(root(page)).toHaveAttribute('dir', 'rtl');
    await expect(field(page, 'FirstName')).toHaveValue('Sample');
    await expect(choice(page, 'Text message')).toBeChecked();
    await expect(page.locator('form label', { has: choice(page, 'Text message') })).toHaveText(
      mirror('Text message'),
    );
    // Nobody has been at the other questions yet.
    await expect(page.getByRole('alert')).toHaveCount(0);

    // There and back, half-way.
    await field(page, 'Phone').fill('021 000 000');
    await choiceOf(page, 'en-NZ').click();
    await expectLanguage(page, 'en-NZ', '/help');
    await expect(field(page, 'Phone')).toHaveValue('021 000 000');
    await choiceOf(page, 'ar-XB').click();
    await expectLanguage(page, 'ar-XB', '/ar-xb/help');
    await expect(field(page, 'Phone')).toHaveValue('021 000 000');

    await choice(page, 'Housing').check();
    await unfold(page);
    await field(page, 'Subject').fill('A quiet word');
    // Spaces satisfy the browser, and neither the script nor the server.
    await field(page, 'FirstName').fill('  ');
    if (!javaScriptEnabled) {
      watch.expectComplaint('422');
      await sendButton(page).click();
    } else {
      await unfold(page);
      await field(page, 'Subject').focus();
    }
    await expect(page.getByRole('alert')).toContainText(mirror('is required').split(' ')[0] ?? '');
    await expect(page.getByRole('alert')).toContainText(mirror('First name'));
    await field(page, 'FirstName').fill('Sample');
    await sendButton(page).click();

    await expect(reference(page)).toBeVisible();
    await expectLanguage(page, 'ar-XB', '/ar-xb/help');
    await expect(page.locator('#ask')).toContainText(mirror('Text message'));
    await expect(page.locator('#ask')).toContainText(mirror('You can write in your own language'));
    const mail = await mailAbout(site, await reference(page).innerText());
    expect(mail.text).toContain('ar-XB');
    expect(mail.text).toContain('Text message');
    expect(mail.text).toContain('Housing');
    expect(mail.text).not.toContain(mirror('Housing'));
  });

  test(`${how} Enter in a field sends the form, and changes no language`, async ({ openPage }) => {
    const page = await openPage({ javaScriptEnabled });
    await page.goto('/ar-xb/contact');
    if (javaScriptEnabled) await hydrated(page);
    await fillContact(page);
    await field(page, 'Email').press('Enter');
    await expect(reference(page)).toBeVisible();
    await expectLanguage(page, 'ar-XB', '/ar-xb/contact');
  });
}

test('before the script runs, the button of a language posts what was typed', async ({ openPage }) => {
  const page = await openPage();
  await page.route('**/assets/**', () => {});
  await page.goto('/help', { waitUntil: 'commit' });
  await field(page, 'FirstName').fill('Sample');
  await choiceOf(page, 'en-XA').click();
  await expectLanguage(page, 'en-XA', '/en-xa/help');
  await expect(field(page, 'FirstName')).toHaveValue('Sample');
});

test('the page stays where it is: focus, scroll, title, canonical address, and what a screen reader hears', async ({
  page,
}) => {
  await visit(page, '/');
  await choiceOf(page, 'ar-XB').press('Enter');
  await expectLanguage(page, 'ar-XB', '/ar-xb');
  await expect(choiceOf(page, 'ar-XB')).toBeFocused();
  const title = await page.title();
  expect(title).toMatch(/[\u0600-\u06ff]/);
  await expect(page.locator('p[role=status]')).toHaveText(title);
  await page.getByRole('main').locator('a[href="/ar-xb/contact"]').click();
  await expect(page.locator('h1')).toBeFocused();
  await page.evaluate(() => scrollTo(0, 300));
  await choiceOf(page, 'en-NZ').evaluate((button: HTMLElement) => button.click());
  await expectLanguage(page, 'en-NZ', '/contact');
  // The browser keeps in place what is in view, whatever the length of the words above.
  expect(await page.evaluate(() => scrollY)).toBeGreaterThan(200);
  await expect(page).toHaveTitle(/Contact Us/);
  await expect(root(page)).toHaveAttribute('dir', 'ltr');

  // Each address has its own language, backwards and forwards, and after a reload too.
  await page.goBack();
  await expectLanguage(page, 'ar-XB', '/ar-xb');
  await page.goForward();
  await expectLanguage(page, 'en-NZ', '/contact');
  await page.reload();
  await hydrated(page);
  await page.goBack();
  await expectLanguage(page, 'ar-XB', '/ar-xb');
  await expect(root(page)).toHaveAttribute('dir', 'rtl');
});
