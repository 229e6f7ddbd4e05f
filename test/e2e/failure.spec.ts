import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import type { SiteServer } from '../support/site-server.ts';
import { fillContact, fillHelp, send, textbox } from './forms.ts';
import { expect, hydrated, test } from './site.ts';

const answer = (code: string) => (route: Route) =>
  route.fulfill({ json: { data: null, errors: [{ message: 'No', extensions: { code } }] } });
const breakOff = (route: Route) => route.abort('connectionreset');

/** Answers the first calls as told, and lets the later ones through. Returns the tokens they had, once that is done. */
async function failFirst(page: Page, ...answers: ((route: Route) => Promise<void>)[]): Promise<string[]> {
  const tokens: string[] = [];
  await page.route('**/graphql', async (route) => {
    const next = answers.shift();
    await (next ? next(route) : route.continue());
    tokens.push(route.request().postDataJSON().variables.recaptchaToken);
  });
  return tokens;
}

/** The waits between the tries are the page's, and its clock is in our hands. */
async function letTimePass(page: Page, until: () => Promise<boolean>): Promise<void> {
  const step = async () => {
    await page.clock.runFor(2_000);
    return until();
  };
  await expect.poll(step, { intervals: [100], timeout: 240_000 }).toBe(true);
}

const sent = (page: Page) => page.getByRole('button', { name: 'Make Another Submission' });

test('a broken connection is tried again quietly, with the same token', async ({ page, watch }) => {
  watch.expectComplaint('net::ERR_CONNECTION_RESET');
  await page.clock.install();
  const tokens = await failFirst(page, breakOff, answer('UNAVAILABLE'), answer('UNAVAILABLE'));
  await page.goto('/contact');
  await hydrated(page);
  await fillContact(page);
  await send(page).click();
  await expect.poll(() => tokens.length).toBe(1);
  await letTimePass(page, async () => tokens.length === 4);
  await expect(sent(page)).toBeVisible();
  expect(tokens).toHaveLength(4);
  expect(new Set(tokens).size).toBe(1);
});

test('a refused token is replaced once', async ({ page }) => {
  const tokens = await failFirst(page, answer('BOT_CHECK_FAILED'));
  await page.goto('/contact');
  await hydrated(page);
  await fillContact(page);
  await send(page).click();
  await expect(sent(page)).toBeVisible();
  expect(new Set(tokens).size).toBe(2);
});

test('a reply that was lost on the way is not a second submission', async ({ page, site, watch }) => {
  watch.expectComplaint('net::ERR_CONNECTION_RESET');
  await page.clock.install();
  const kept = () => site.output().split('submission kept').length;
  const before = kept();
  const tokens = await failFirst(page, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await page.goto('/contact');
  await hydrated(page);
  await fillContact(page);
  await send(page).click();
  await expect.poll(() => tokens.length).toBe(1);
  await letTimePass(page, async () => tokens.length === 2);
  await expect(sent(page)).toBeVisible();
  expect(kept() - before).toBe(1);
});

for (const [path, fill, words] of [
  ['/help', fillHelp, 'Could not submit get help request'],
  ['/contact', fillContact, 'Could not submit contact request'],
] as const) {
  test(`${path} that cannot be sent keeps the answers and leads to the other way to reach us`, async ({
    page,
    watch,
  }) => {
    watch.expectComplaint(`Error submitting form Error: ${words}`);
    await failFirst(page, answer('SOMETHING_ELSE'));
    await page.goto(path);
    await hydrated(page);
    await fill(page);
    await send(page).click();
    const other = page.getByRole('region', { name: 'Alternative Contact Information' });
    await expect(other).toBeFocused();
    await expect(other).toHaveAccessibleDescription(/send an email to kiaora@kowhai.example/);
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(textbox(page, 'First name')).toHaveValue('Sample');
    await send(page).click();
    await expect(sent(page)).toBeVisible();
  });
}

test('a token that cannot be had is logged, and the send fails like any other', async ({ page, watch }) => {
  watch.expectComplaint('Error generating reCAPTCHA token');
  watch.expectComplaint('Error submitting form Error: Could not submit contact request');
  watch.expectComplaint('503');
  await page.clock.install();
  await page.route('**/bot-check/challenge', (route) => route.fulfill({ status: 503, body: '{}' }));
  await page.goto('/contact');
  await hydrated(page);
  await fillContact(page);
  await send(page).click();
  const other = page.getByRole('region', { name: 'Alternative Contact Information' });
  await letTimePass(page, () => other.evaluate((element) => element === document.activeElement));
  await expect(send(page)).toBeEnabled();
});

const stall = async () => {};

/** From the press to the other way to reach us, by the page's own clock. */
const timeUntilFailure = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let pressed = 0;
        addEventListener('submit', () => (pressed = Date.now()), true);
        document.getElementById('contact')?.addEventListener('focus', () => resolve(Date.now() - pressed));
      }),
  );

for (const [what, address, complaint] of [
  ['a challenge', '**/bot-check/challenge', 'Error generating reCAPTCHA token'],
  ['a worker', '**/assets/altcha-worker-*.js', 'Error generating reCAPTCHA token'],
  ['a reply', '**/graphql', 'Error submitting form'],
] as const) {
  test(`${what} that never comes ends the sending after 90 s, and the answers stay`, async ({
    page,
    watch,
  }) => {
    watch.expectComplaint(complaint);
    watch.expectComplaint('Error submitting form Error: Could not submit contact request');
    await page.clock.install();
    await page.route(address, stall);
    await page.goto('/contact');
    await hydrated(page);
    await fillContact(page);
    const took = timeUntilFailure(page);
    const asked = page.waitForRequest(address);
    await send(page).click();
    await asked;
    const other = page.getByRole('region', { name: 'Alternative Contact Information' });
    await letTimePass(page, () => other.evaluate((element) => element === document.activeElement));
    expect(await took).toBeGreaterThan(60_000);
    expect(await took).toBeLessThan(91_000);
    await expect(textbox(page, 'First name')).toHaveValue('Sample');
    await page.unroute(address);
    await send(page).click();
    await expect(sent(page)).toBeVisible();
  });
}

test('a message for failures is shown where the trust has written one', async ({
  openPage,
  watch,
  ownSite,
}) => {
  watch.expectComplaint('Error submitting form');
  const site = await ownSite({ site: [['failureMessage: ""', 'failureMessage: It did not go through.']] });
  const page = await openPage({ baseURL: site.url });
  await failFirst(page, answer('SOMETHING_ELSE'));
  await page.goto('/contact');
  await hydrated(page);
  await fillContact(page);
  await expect(page.getByText('It did not go through.')).toHaveCount(0);
  await send(page).click();
  await expect(page.getByText('It did not go through.')).toBeVisible();
});

test('a form that the trust changes while it is being filled in keeps the answers and asks what is new', async ({
  openPage,
  watch,
  ownSite,
}) => {
  watch.expectComplaint('Error submitting form Error: Could not submit contact request');
  const site = await ownSite();
  const page = await openPage({ baseURL: site.url });
  await page.goto('/contact');
  await hydrated(page);
  await fillContact(page);
  const form = join(site.contentDir, 'forms/contact.yaml');
  const before = await readFile(form, 'utf8');
  const town =
    '- key: Town\n  type: text\n  displayName: Town\n  description: Where you live\n  required: true\n';
  await change(site, form, `${before}\n${town}`);
  await send(page).click();
  await expect(page.getByRole('alert')).toHaveText('Town is required');
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
  await textbox(page, 'Town').fill('Sampleville');
  // And one that is gone again by then is simply left out.
  await change(site, form, before);
  await send(page).click();
  await expect(sent(page)).toBeVisible();
});

async function change({ output }: SiteServer, file: string, text: string): Promise<void> {
  const reloads = () => output().split('"event":"content changed"').length;
  const before = reloads();
  await writeFile(file, text);
  await expect.poll(reloads).toBeGreaterThan(before);
}
