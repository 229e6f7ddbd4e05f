import type { Page } from '@playwright/test';
import { fillContact, send, textbox } from './forms.ts';
import { countStored, failFirst, letTimePass, receipt, untilFailed } from './sending.ts';
import { expect, test, visit } from './site.ts';

test('a reply that was lost on the way is asked for again with the same token, and is no second submission', async ({
  page,
  site,
  watch,
}) => {
  watch.expectComplaint('net::ERR_CONNECTION_RESET');
  await page.clock.install();
  const before = countStored(site);
  const tokens = await failFirst(page, async (route) => {
    await route.fetch();
    await route.abort('connectionreset');
  });
  await visit(page, '/contact');
  await fillContact(page);
  await send(page).click();
  await expect.poll(() => tokens.length).toBe(1);
  await letTimePass(page, async () => tokens.length === 2);
  await expect(receipt(page)).toBeVisible();
  expect(new Set(tokens).size).toBe(1);
  expect(countStored(site) - before).toBe(1);
});

const stall = async () => {};

/** Milliseconds from the press of Send to the failure, by the page's own clock. */
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
  ['a worker', '**/assets/altcha-worker-*.js', 'Error generating reCAPTCHA token'],
  ['a reply', '**/graphql', 'Error submitting form'],
] as const) {
  test(`${what} that never comes ends the sending within 90 s, and the answers stay`, async ({
    page,
    watch,
  }) => {
    watch.expectComplaint(complaint);
    watch.expectComplaint('Error submitting form Error: Could not submit contact request');
    await page.clock.install();
    await page.route(address, stall);
    // Challenge and worker are asked for as soon as the form is begun, before Send.
    const asked = page.waitForRequest(address);
    await visit(page, '/contact');
    await fillContact(page);
    const took = timeUntilFailure(page);
    await send(page).click();
    await asked;
    await letTimePass(page, untilFailed(page));
    expect(await took).toBeGreaterThan(60_000);
    // 90 s, and a step of the clock while React renders the page.
    expect(await took).toBeLessThan(93_000);
    await expect(textbox(page, 'First name')).toHaveValue('Sample');
    await page.unroute(address);
    await send(page).click();
    await expect(receipt(page)).toBeVisible();
  });
}
