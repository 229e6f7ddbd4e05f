import type { Page } from '@playwright/test';
import { expectNothingTyped, test } from './back-forward-cache.ts';
import { fillContact, fillHelp, send, textbox } from './forms.ts';
import { expect, hydrated, visit } from './leaving.ts';

const logo = (page: Page) => page.getByRole('banner').getByRole('link', { name: /Family Support Centre/ });
const card = (page: Page, name: string) => page.getByRole('main').getByRole('link', { name });
const linkTo = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name });

async function open(page: Page, path: string): Promise<void> {
  await visit(page, path);
}

async function goHome(page: Page): Promise<void> {
  await logo(page).click();
  await expect(page.locator('form')).toHaveCount(0);
}

/** By a card of the home page, to a form that is there and in the state it will stay in. */
async function goToHelp(page: Page): Promise<void> {
  await card(page, 'Get Help').click();
  await expect(textbox(page, 'First name')).toBeVisible();
}

/** Begun before it can come, because it stays for three seconds only. */
const seeSent = (page: Page) => page.getByText('We have it.').waitFor();

async function expectHelpFilled(page: Page): Promise<void> {
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
  await expect(page.getByRole('checkbox', { name: 'Text message' })).toBeChecked();
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2);
  await expect(textbox(page, 'Tell us what is going on')).toHaveValue('Some words about it.');
}

test('a visitor who goes home and back finds a half-written form as it was, with its messages', async ({
  page,
}) => {
  await open(page, '/help');
  await fillHelp(page);
  await textbox(page, 'Subject').fill('x'.repeat(501));
  await textbox(page, 'Last name').focus();
  const problem = page.getByRole('alert');
  await expect(problem).toHaveText('Subject is longer than 500 characters');
  await goHome(page);
  await page.goBack();
  await expectHelpFilled(page);
  await expect(problem).toHaveText('Subject is longer than 500 characters');
  await expect(send(page)).toBeDisabled();
  await textbox(page, 'Subject').fill('A quiet word');
  await goHome(page);
  await goToHelp(page);
  await expectHelpFilled(page);
  await expect(problem).toHaveCount(0);
  await send(page).click();
  await expect(page.locator('strong')).toBeVisible();
});

test('each form has its own answers', async ({ page }) => {
  await open(page, '/help');
  await fillHelp(page);
  await linkTo(page, 'Contact Us').click();
  await expect(textbox(page, 'Your message to us')).toHaveValue('');
  await expect(textbox(page, 'First name')).toHaveValue('');
  await fillContact(page);
  await linkTo(page, 'Get Help').click();
  await expectHelpFilled(page);
  await page.goBack();
  await expect(textbox(page, 'Your message to us')).toHaveValue('What are your hours?');
  await page.goForward();
  await expectHelpFilled(page);
});

test('a half-written form is stored nowhere but in this page', async ({ page }) => {
  await open(page, '/help');
  await fillHelp(page);
  await goHome(page);
  expect(await page.evaluate(() => JSON.stringify([history.state, localStorage, sessionStorage]))).toBe(
    // Of the history, the number of this site's entries before this one.
    '[1,{},{}]',
  );
  expect(await page.content()).not.toContain('Sample');
  await page.reload();
  await hydrated(page);
  await goToHelp(page);
  await expectNothingTyped(page);
});

test('a half-written form is gone after another site, also where the browser cached the page', async ({
  caching,
  site,
  neutral,
}) => {
  const page = await caching.newPage({ baseURL: site.url });
  await open(page, '/help');
  await fillHelp(page);
  await goHome(page);
  await page.evaluate(() => Object.assign(window, { kept: true }));
  await page.goto(neutral.url);
  await page.goBack({ waitUntil: 'commit' });
  await hydrated(page);
  expect(await page.evaluate(() => 'kept' in window), 'the very same page').toBe(true);
  await goToHelp(page);
  await expectNothingTyped(page);
  await page.context().close();
});

test('what was sent does not come back, nor what was begun and sent after it', async ({ page }) => {
  await open(page, '/help');
  for (const _ of ['first', 'again']) {
    await fillHelp(page);
    await send(page).click();
    await expect(page.locator('strong')).toBeVisible();
    await goHome(page);
    await goToHelp(page);
    await expectNothingTyped(page);
    await expect(page.locator('strong')).toHaveCount(0);
  }
  await fillHelp(page);
  await send(page).click();
  await page.getByRole('button', { name: 'Make Another Submission' }).click();
  await goHome(page);
  await goToHelp(page);
  await expectNothingTyped(page);
});

for (const outcome of ['sent', 'refused']) {
  test(`a form that is ${outcome} after its visitor went home tells the truth when they are back`, async ({
    page,
    watch,
  }) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    if (outcome === 'refused') watch.expectComplaint('Error submitting form');
    await page.route('**/graphql', async (route) => {
      await released;
      if (outcome === 'sent') await route.continue();
      else await route.fulfill({ json: { data: null, errors: [{ message: 'No' }] } });
    });
    await open(page, '/help');
    await fillHelp(page);
    await send(page).click();
    await goHome(page);
    await goToHelp(page);
    await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible();
    await goHome(page);
    const told = outcome === 'refused' ? page.waitForEvent('console') : seeSent(page);
    release();
    await told;
    await card(page, 'Get Help').click();
    if (outcome === 'sent') await expect(page.locator('strong')).toBeVisible();
    else await expectHelpFilled(page);
    await expect(page.getByRole('button', { name: 'Sending…' })).toHaveCount(0);
  });
}

test('the receipt for a form that was forgotten acknowledges no other', async ({ page }) => {
  const releases: (() => void)[] = [];
  await page.route('**/graphql', async (route) => {
    await new Promise<void>((resolve) => releases.push(resolve));
    await route.continue();
  });
  await open(page, '/help');
  await fillHelp(page);
  await send(page).click();
  await expect.poll(() => releases.length).toBe(1);
  // As on the way to another site, from which this page comes back.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide')));
  await expectNothingTyped(page);
  await fillHelp(page);
  await send(page).click();
  await expect.poll(() => releases.length).toBe(2);
  const told = seeSent(page);
  const answered = page.waitForResponse('**/graphql');
  releases[0]?.();
  await (await answered).finished();
  await told;
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible();
  await expect(page.locator('strong')).toHaveCount(0);
  releases[1]?.();
  await expect(page.locator('strong')).toBeVisible();
});
