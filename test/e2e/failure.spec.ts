import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from '@playwright/test';
import { sendingMs } from '../../src/web/form/sending/send-form.ts';
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

/** The tokens of all calls that the page makes, also of those that get nowhere. */
async function noteTokens(page: Page): Promise<string[]> {
  const tokens: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) tokens.push(request.postDataJSON().variables.recaptchaToken);
  });
  return tokens;
}

/** The waits between the tries are the page's, and its clock is in our hands. */
async function letTimePass(page: Page, until: () => Promise<boolean>, stepMs = 2_000): Promise<void> {
  const step = async () => {
    await page.clock.runFor(stepMs);
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

for (const [path, fill, words, arrived] of [
  ['/help', fillHelp, 'Could not submit get help request', 'we have your request'],
  ['/contact', fillContact, 'Could not submit contact request', 'we have your message'],
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
    // Said with the focus, and by no live region a second time.
    await expect(other).toHaveAccessibleName('Alternative Contact Information');
    await expect(other).toHaveAccessibleDescription(
      new RegExp(
        `^If you do not see “${arrived}”, it has not reached us. What you wrote is still here: press Send again, call 0800 000 000, or write to kiaora@kowhai.example ?.$`,
      ),
    );
    const live = page.locator('[role=alert], [role=status], [aria-live]');
    await expect(live.filter({ hasText: /reached|Contact|sent/ })).toHaveCount(0);
    await expect(live.filter({ has: other })).toHaveCount(0);
    await expect(textbox(page, 'First name')).toHaveValue('Sample');
    await send(page).click();
    await expect(sent(page)).toBeVisible();
    await expect(page.getByRole('heading', { name: arrived })).toBeVisible();
    await expect(other).toContainText(
      /^Alternative Contact Information\s*Call 0800 000 000.*You can also write to kiaora/,
    );
    await expect(other).not.toContainText(/not reached|Send|does not work/);
    await sent(page).click();
    await expect(other).toContainText('press Send again');
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
    // Its clock runs on by a step while React draws the page.
    expect(await took).toBeLessThan(93_000);
    await expect(textbox(page, 'First name')).toHaveValue('Sample');
    await page.unroute(address);
    await send(page).click();
    await expect(sent(page)).toBeVisible();
  });
}

/** Without a network, for as long as it takes until the visitor is shown the other way. */
async function failOffline(page: Page): Promise<void> {
  const other = page.getByRole('region', { name: 'Alternative Contact Information' });
  // The first try has its token. A clock that jumps while the token is made would end the making and not the sending.
  const tried = page.waitForRequest('**/graphql');
  await page.context().setOffline(true);
  await send(page).click();
  await tried;
  await letTimePass(page, () => other.evaluate((element) => element === document.activeElement), sendingMs);
  await expect(send(page)).toBeEnabled();
}

async function openFilled(page: Page, path: '/help' | '/contact'): Promise<void> {
  await page.clock.install();
  await page.goto(path);
  await hydrated(page);
  await (path === '/help' ? fillHelp : fillContact)(page);
}

const keptBy = (site: SiteServer) => site.output().split('submission kept').length;

test('offline it goes on trying for all of its time, and is sent by itself when the network is back', async ({
  page,
  site,
  watch,
}) => {
  watch.expectComplaint('net::ERR_INTERNET_DISCONNECTED');
  const before = keptBy(site);
  const tokens = await noteTokens(page);
  await openFilled(page, '/contact');
  await page.context().setOffline(true);
  await send(page).click();
  // More tries than there are where there is a network.
  await letTimePass(page, async () => tokens.length > 5, 8_000);
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible();
  await page.context().setOffline(false);
  await expect(sent(page)).toBeVisible();
  expect(new Set(tokens).size).toBe(1);
  expect(keptBy(site) - before).toBe(1);
});

test('what could not be sent offline is sent once when the network is back, also from another page of the site', async ({
  page,
  site,
  watch,
}) => {
  watch.expectComplaint('net::ERR_INTERNET_DISCONNECTED');
  watch.expectComplaint('Error submitting form');
  const before = keptBy(site);
  const tokens = await noteTokens(page);
  await openFilled(page, '/help');
  await failOffline(page);
  await page.getByRole('banner').getByRole('link', { name: 'Contact Us' }).click();
  await expect(textbox(page, 'Your message to us')).toBeVisible();
  const told = page.getByText('Your form has been sent.').waitFor();
  await page.context().setOffline(false);
  await page.evaluate(() => {
    for (const _ of [1, 2, 3]) dispatchEvent(new Event('online'));
  });
  await told;
  expect(new Set(tokens).size).toBe(1);
  expect(keptBy(site) - before).toBe(1);
  // The receipt waits for them, once.
  await page.getByRole('banner').getByRole('link', { name: 'Get Help' }).click();
  await expect(page.getByText('say this reference')).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Contact Us' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Get Help' }).click();
  await expect(textbox(page, 'First name')).toHaveValue('');
});

for (const [what, change] of [
  ['changed', (page: Page) => textbox(page, 'Subject').fill('Another question')],
  ['left', (page: Page) => page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pagehide')))],
] as const) {
  for (const when of ['after its time is over', 'while it is tried'] as const) {
    if (what === 'changed' && when === 'while it is tried') continue;
    test(`what was ${what} ${when} is not sent by itself when the network is back`, async ({
      page,
      site,
      watch,
    }) => {
      watch.expectComplaint('net::ERR_INTERNET_DISCONNECTED');
      watch.expectComplaint('Error submitting form');
      const before = keptBy(site);
      await openFilled(page, '/contact');
      const tokens = await noteTokens(page);
      if (when === 'while it is tried') {
        await page.context().setOffline(true);
        await send(page).click();
        await expect.poll(() => tokens.length).toBe(1);
      } else await failOffline(page);
      await change(page);
      const tried = tokens.length;
      const given = page.waitForEvent('console', (message) =>
        message.text().includes('Error submitting form'),
      );
      await page.context().setOffline(false);
      if (when === 'while it is tried') await given;
      else given.catch(() => {});
      // The next call is ours, and comes after any that the page makes by itself.
      await page.evaluate(() => fetch('/contact', { method: 'HEAD' }));
      await page.clock.runFor(2_000);
      expect(tokens.length).toBe(tried);
      expect(keptBy(site) - before).toBe(0);
      await expect(page.getByText('Your form has been sent.')).toHaveCount(0);
    });
  }
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
  // What is described at the moment of the focus is what is said.
  const saidWithFocus = page.evaluate(
    () =>
      new Promise((resolve) => {
        const block = document.getElementById('contact');
        block?.addEventListener('focus', () => resolve(block.innerText));
      }),
  );
  await send(page).click();
  await expect(page.getByText('It did not go through.')).toBeVisible();
  expect(await saidWithFocus).toContain('It did not go through.');
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
