import type { Page } from '@playwright/test';
import { sendingMs } from '../../src/web/form/sending/send-form.ts';
import { fillContact, fillHelp, send, textbox } from './forms.ts';
import { countStored, letTimePass, otherWays, receipt, untilFailed } from './sending.ts';
import { expect, test, visit } from './site.ts';

/** Collects the token of every call that the page makes, also of calls that reach no server. */
function noteTokens(page: Page): string[] {
  const tokens: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) tokens.push(request.postDataJSON().variables.recaptchaToken);
  });
  return tokens;
}

/** Without a network, for as long as it takes until the visitor is shown the other way. */
async function failOffline(page: Page): Promise<void> {
  // The first try has its token. A clock that jumps while the token is made would end the making and not the sending.
  const tried = page.waitForRequest('**/graphql');
  await page.context().setOffline(true);
  await send(page).click();
  await tried;
  await letTimePass(page, untilFailed(page), sendingMs);
  await expect(send(page)).toBeEnabled();
}

const waiting = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'No internet. We will send this when you are back online.' });

/** Ends once the page has a token: offline it could get none. */
async function openFilled(page: Page, path: '/help' | '/contact'): Promise<void> {
  await page.clock.install();
  const worker = page.waitForEvent('worker');
  const solved = worker.then((solver) => new Promise((resolve) => solver.once('close', resolve)));
  await visit(page, path);
  await (path === '/help' ? fillHelp : fillContact)(page);
  await solved;
}

test('offline, sending goes on until the deadline, and the form is sent by itself when the network is back', async ({
  page,
  site,
  watch,
}) => {
  watch.expectComplaint('net::ERR_INTERNET_DISCONNECTED');
  const before = countStored(site);
  const tokens = noteTokens(page);
  await openFilled(page, '/contact');
  await page.context().setOffline(true);
  await expect(waiting(page)).toHaveCount(0);
  await send(page).click();
  await expect(waiting(page)).toBeInViewport({ ratio: 1 });
  // More tries than there are where there is a network.
  await letTimePass(page, async () => tokens.length > 5, 8_000);
  await expect(page.getByRole('button', { name: 'Sending…' })).toBeVisible();
  // It is waiting, and nothing has failed.
  await expect(otherWays(page)).not.toBeFocused();
  await expect(waiting(page)).toHaveText(/^No internet/);
  await page.context().setOffline(false);
  await expect(receipt(page)).toBeVisible();
  expect(new Set(tokens).size).toBe(1);
  expect(countStored(site) - before).toBe(1);
});

test('what could not be sent offline is sent once when the network is back, also from another page of the site', async ({
  page,
  site,
  watch,
}) => {
  watch.expectComplaint('net::ERR_INTERNET_DISCONNECTED');
  watch.expectComplaint('Error submitting form');
  const before = countStored(site);
  const tokens = noteTokens(page);
  await openFilled(page, '/help');
  await failOffline(page);
  await expect(waiting(page)).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Contact Us' }).click();
  await expect(textbox(page, 'Your message to us')).toBeVisible();
  const told = page.getByText('We have it.').waitFor();
  await page.context().setOffline(false);
  await page.evaluate(() => {
    for (const _ of [1, 2, 3]) dispatchEvent(new Event('online'));
  });
  await told;
  expect(new Set(tokens).size).toBe(1);
  expect(countStored(site) - before).toBe(1);
  // The receipt waits for them, once.
  await page.getByRole('banner').getByRole('link', { name: 'Get Help' }).click();
  await expect(page.getByText('say this reference')).toBeVisible();
  await page.getByRole('banner').getByRole('link', { name: 'Contact Us' }).click();
  await page.getByRole('banner').getByRole('link', { name: 'Get Help' }).click();
  await expect(textbox(page, 'First name')).toHaveValue('');
});

const changes = {
  changed: (page: Page) => textbox(page, 'Subject').fill('Another question'),
  left: (page: Page) => page.evaluate(() => void dispatchEvent(new PageTransitionEvent('pagehide'))),
};

for (const [what, change] of Object.entries(changes)) {
  test(`what was ${what} after its time is over is not sent by itself when the network is back`, async ({
    page,
    site,
    watch,
  }) => {
    watch.expectComplaint('net::ERR_INTERNET_DISCONNECTED');
    watch.expectComplaint('Error submitting form');
    const before = countStored(site);
    await openFilled(page, '/contact');
    const tokens = noteTokens(page);
    await failOffline(page);
    await expect(waiting(page)).toBeVisible();
    await change(page);
    await expect(waiting(page)).toHaveCount(0);
    const tried = tokens.length;
    await page.context().setOffline(false);
    // The next call is ours, and comes after any that the page makes by itself.
    await page.evaluate(() => fetch('/contact', { method: 'HEAD' }));
    await page.clock.runFor(2_000);
    expect(tokens.length).toBe(tried);
    expect(countStored(site) - before).toBe(0);
    await expect(page.getByText('We have it.')).toHaveCount(0);
  });
}
