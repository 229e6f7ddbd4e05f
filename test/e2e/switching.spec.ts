import { mirror } from '../support/pseudo-language.ts';
import {
  choiceOf,
  expectLanguage,
  field,
  fillContact,
  reference,
  root,
  sendButton,
  test,
} from './pseudo-site.ts';
import { expect, hold, hydrated, visit } from './site.ts';
import { translate } from './translating.ts';

test('offline the page stays as it is, with every answer, and says why', async ({ page, watch }) => {
  watch.expectComplaint('net::ERR_INTERNET_DISCONNECTED');
  await visit(page, '/help');
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
  await visit(page, '/help');
  await field(page, 'FirstName').fill('Sample');
  const release = await hold(page, '**/en-xa/help');
  await choiceOf(page, 'en-XA').click();
  await expect(choiceOf(page, 'en-XA')).toHaveAttribute('aria-busy', 'true');
  await choiceOf(page, 'ar-XB').click();
  await expectLanguage(page, 'ar-XB', '/ar-xb/help');
  const late = page.waitForResponse('**/en-xa/help');
  release();
  await (await late).finished();
  // The script has had a turn to read it.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
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
  await visit(page, '/help');
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
    sent.push(route.request().postDataJSON().variables.language ?? null);
    await released;
    await route.continue();
  });
  await visit(page, '/contact');
  await fillContact(page);
  await sendButton(page).click();
  await expect(sendButton(page)).toHaveAttribute('aria-busy', 'true');
  await choiceOf(page, 'ar-XB').click();
  await expectLanguage(page, 'ar-XB', '/ar-xb/contact');
  await expect(sendButton(page)).toHaveAttribute('aria-busy', 'true');
  const snackbar = expect(page.getByText(mirror('We have it.'))).toBeVisible();
  release();
  await snackbar;
  await expect(reference(page)).toBeVisible();
  // In the language in which the person pressed Send.
  expect(sent).toEqual([null]);
  const words = await reference(page).innerText();
  await choiceOf(page, 'en-NZ').click();
  await expectLanguage(page, 'en-NZ', '/contact');
  await expect(page.getByRole('heading', { name: 'we have your message' })).toBeVisible();
  await expect(reference(page)).toHaveText(words);
});

test('the exit speaks the language of the page, and leaves nothing of any language behind', async ({
  page,
  neutral,
}) => {
  await page.goto(neutral.earlierUrl);
  await visit(page, '/');
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
  await visit(page, '/');
  const opened = page.context().waitForEvent('page');
  await choiceOf(page, 'ar-XB').click({ modifiers: ['ControlOrMeta'] });
  await expect(root(await opened)).toHaveAttribute('lang', 'ar-XB');
  await expectLanguage(page, 'en-NZ', '/');
});
