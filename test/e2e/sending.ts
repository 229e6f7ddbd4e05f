import type { Page, Route } from '@playwright/test';
import type { SiteServer } from '../support/site-server.ts';
import { expect } from './site.ts';

/** What the tests of sending a form share: calls that fail, time that passes, and what comes of it. */

export const refuse = (code: string) => (route: Route) =>
  route.fulfill({ json: { data: null, errors: [{ message: 'No', extensions: { code } }] } });

/** Handles the first calls by `answers`, and lets the later ones through. Returns the token of each call that was handled. */
export async function failFirst(
  page: Page,
  ...answers: ((route: Route) => Promise<void>)[]
): Promise<string[]> {
  const tokens: string[] = [];
  await page.route('**/graphql', async (route) => {
    const next = answers.shift();
    await (next ? next(route) : route.continue());
    tokens.push(route.request().postDataJSON().variables.recaptchaToken);
  });
  return tokens;
}

/** Advances the page's clock (`page.clock.install`) in steps, because the waits between attempts are the page's own. */
export async function letTimePass(page: Page, until: () => Promise<boolean>, stepMs = 2_000): Promise<void> {
  const step = async () => {
    await page.clock.runFor(stepMs);
    return until();
  };
  await expect.poll(step, { intervals: [100], timeout: 240_000 }).toBe(true);
}

export const receipt = (page: Page) => page.getByRole('button', { name: 'Make Another Submission' });

/** What a visitor is shown whose form could not be sent. */
export const otherWays = (page: Page) =>
  page.getByRole('region', { name: 'Alternative Contact Information' });

export const untilFailed = (page: Page) => () =>
  otherWays(page).evaluate((element) => element === document.activeElement);

export const countStored = (site: SiteServer) => site.output().split('submission stored').length - 1;
