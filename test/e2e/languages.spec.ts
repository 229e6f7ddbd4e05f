import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import { mirror } from '../support/pseudo-language.ts';
import type { SiteServer } from '../support/site-server.ts';
import { choice, choiceOf, field, reference, sendButton, test } from './pseudo-site.ts';
import { expect, hydrated } from './site.ts';
import { translate } from './translating.ts';

const root = (page: Page) => page.locator('html');

async function expectLanguage(page: Page, tag: string, path: string): Promise<void> {
  await expect(root(page)).toHaveAttribute('lang', tag);
  await expect(choiceOf(page, tag)).toHaveAttribute('aria-current', 'true');
  await expect.poll(() => new URL(page.url()).pathname).toBe(path);
}

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
    await field(page, 'Subject').fill('A quiet word');
    // Spaces satisfy the browser, and neither the script nor the server.
    await field(page, 'FirstName').fill('  ');
    if (!javaScriptEnabled) {
      watch.expectComplaint('422');
      await sendButton(page).click();
    } else await field(page, 'Subject').focus();
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
    for (const key of ['FirstName', 'Subject', 'Message']) await field(page, key).fill('Sample');
    await field(page, 'Email').fill('sample@visitor.example');
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
  await page.goto('/');
  await hydrated(page);
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

test('offline the page stays as it is, with every answer, and says why', async ({ page, watch }) => {
  watch.expectComplaint('net::ERR_INTERNET_DISCONNECTED');
  await page.goto('/help');
  await hydrated(page);
  await field(page, 'FirstName').fill('Sample');
  await page.context().setOffline(true);
  await choiceOf(page, 'ar-XB').click();
  await expect(page.getByText('We could not load this page in that language')).toBeVisible();
  await expectLanguage(page, 'en-NZ', '/help');
  await expect(field(page, 'FirstName')).toHaveValue('Sample');
  await page.context().setOffline(false);
  await choiceOf(page, 'ar-XB').click();
  await expectLanguage(page, 'ar-XB', '/ar-xb/help');
  await expect(field(page, 'FirstName')).toHaveValue('Sample');
  // What was shown once needs no network.
  await page.context().setOffline(true);
  await choiceOf(page, 'en-NZ').click();
  await expectLanguage(page, 'en-NZ', '/help');
});

test('the last of two presses counts, and a page that is not ours changes nothing', async ({ page }) => {
  await page.goto('/help');
  await hydrated(page);
  await field(page, 'FirstName').fill('Sample');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/en-xa/help', async (route) => {
    await released;
    await route.continue();
  });
  await choiceOf(page, 'en-XA').click();
  await expect(choiceOf(page, 'en-XA')).toHaveAttribute('aria-busy', 'true');
  await choiceOf(page, 'ar-XB').click();
  await expectLanguage(page, 'ar-XB', '/ar-xb/help');
  const late = page.waitForResponse('**/en-xa/help');
  release();
  await late;
  await expectLanguage(page, 'ar-XB', '/ar-xb/help');

  for (const body of [
    '<p>Sign in to this network',
    '<script id="page-data">{"language":{"prefix":""}}</script>',
  ]) {
    await page.unroute('**/en-xa/help');
    await page.route('**/en-xa/help', (route) => route.fulfill({ contentType: 'text/html', body }));
    await choiceOf(page, 'en-XA').click();
    await expect(page.getByText(mirror('We could not load this page'))).toBeVisible();
    await expectLanguage(page, 'ar-XB', '/ar-xb/help');
    await expect(field(page, 'FirstName')).toHaveValue('Sample');
    await page.reload();
    await hydrated(page);
    await field(page, 'FirstName').fill('Sample');
  }
});

test('a page of a newer version, and one that the browser translates, are loaded whole, with every answer', async ({
  page,
}) => {
  await page.goto('/help');
  await hydrated(page);
  await field(page, 'FirstName').fill('Sample');
  await page.route('**/ar-xb/help', async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    const response = await route.fetch();
    const body = (await response.text()).replaceAll('/assets/entry-client', '/assets/newer-client');
    await route.fulfill({ response, body });
  });
  await page.evaluate(() => Object.assign(window, { old: true }));
  await choiceOf(page, 'ar-XB').click();
  await expectLanguage(page, 'ar-XB', '/ar-xb/help');
  await expect(field(page, 'FirstName')).toHaveValue('Sample');
  expect(await page.evaluate(() => 'old' in window)).toBe(false);

  await hydrated(page);
  await translate(page);
  await page.evaluate(() => Object.assign(window, { old: true }));
  await choiceOf(page, 'en-XA').click();
  await expectLanguage(page, 'en-XA', '/en-xa/help');
  await expect(field(page, 'FirstName')).toHaveValue('Sample');
  expect(await page.evaluate(() => 'old' in window)).toBe(false);
});

test('a form that is being sent, and its receipt, go along', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const sent: unknown[] = [];
  await page.route('**/graphql', async (route) => {
    sent.push(route.request().postDataJSON().variables.language);
    await released;
    await route.continue();
  });
  await page.goto('/contact');
  await hydrated(page);
  for (const key of ['FirstName', 'Subject', 'Message']) await field(page, key).fill('Sample');
  await field(page, 'Email').fill('sample@visitor.example');
  await sendButton(page).click();
  await expect(sendButton(page)).toHaveAttribute('aria-busy', 'true');
  await choiceOf(page, 'ar-XB').click();
  await expectLanguage(page, 'ar-XB', '/ar-xb/contact');
  await expect(sendButton(page)).toHaveAttribute('aria-busy', 'true');
  release();
  await expect(reference(page)).toBeVisible();
  // In the language in which the person pressed Send.
  expect(sent).toEqual([null]);
  await expect(page.getByText(mirror('Your form has been sent'))).toBeVisible();
  const words = await reference(page).innerText();
  await choiceOf(page, 'en-NZ').click();
  await expectLanguage(page, 'en-NZ', '/contact');
  await expect(page.getByRole('heading', { name: 'we have your message' })).toBeVisible();
  await expect(reference(page)).toHaveText(words);
});

test('the exit speaks the language of the page, and leaves nothing of any language behind', async ({
  page,
  neutral,
  watch,
}) => {
  watch.expectComplaint(neutral.url);
  await page.goto(neutral.earlierUrl);
  await page.goto('/');
  await hydrated(page);
  await choiceOf(page, 'ar-XB').click();
  await expectLanguage(page, 'ar-XB', '/ar-xb');
  await page.getByRole('main').locator('a[href="/ar-xb/help"]').click();
  await field(page, 'FirstName').fill('Sample');
  await choiceOf(page, 'en-XA').click();
  await expectLanguage(page, 'en-XA', '/en-xa/help');
  await choiceOf(page, 'ar-XB').click();
  await expectLanguage(page, 'ar-XB', '/ar-xb/help');
  await page.locator('h1').click();
  await page.keyboard.press('Shift');
  await expect(page.locator('#leaving')).toHaveText(/[\u0600-\u06ff]/);
  await page.keyboard.press('Shift');
  await page.keyboard.press('Shift');
  await expect(page).toHaveURL(neutral.url);
  for (const address of [neutral.url, neutral.earlierUrl]) {
    await page.goBack();
    await expect(page).toHaveURL(address);
  }
});

test('a link of a language opens in a new tab where the visitor asks for one', async ({ page }) => {
  await page.goto('/');
  await hydrated(page);
  const opened = page.context().waitForEvent('page');
  await choiceOf(page, 'ar-XB').click({ modifiers: ['ControlOrMeta'] });
  await expect(root(await opened)).toHaveAttribute('lang', 'ar-XB');
  await expectLanguage(page, 'en-NZ', '/');
});
