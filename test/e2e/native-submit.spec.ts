import type { Route } from '@playwright/test';
import { fillContact, send, textbox } from './forms.ts';
import { takePosts } from './native-submits.ts';
import { expect, test, visit } from './site.ts';

/** Where the script cannot do its work, the browser posts the form itself. */

const gone = (route: Route) => route.fulfill({ status: 404, json: { error: 'There is nothing here' } });
const foreign = (route: Route) => route.fulfill({ contentType: 'text/html', body: '<h1>Welcome</h1>' });
const tooOld = (route: Route) =>
  route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("too old")' });

for (const [what, address, answer, complaint] of [
  ['the worker is gone', '**/assets/altcha-worker-*.js', gone, 'Error generating reCAPTCHA token'],
  ['this browser cannot run the worker', '**/assets/altcha-worker-*.js', tooOld, 'too old'],
  ['the challenge is gone', '**/bot-check/challenge', gone, 'Error generating reCAPTCHA token'],
  ['the address of the calls is gone', '**/graphql', gone, '404'],
  ['a page answers in place of the calls', '**/graphql', foreign, 'Error submitting form'],
] as const) {
  test(`where ${what}, Send posts the form with its answers`, async ({ page, watch }) => {
    watch.expectComplaint(complaint);
    watch.expectComplaint('Error submitting form Error: Could not submit contact request');
    if (answer === gone) watch.expectComplaint('404');
    await page.route(address, answer);
    const posts = await takePosts(page);
    await visit(page, '/contact');
    await fillContact(page);
    await send(page).click();
    await expect(page.getByRole('heading', { name: 'Kept' })).toBeVisible();
    expect(posts).toHaveLength(1);
    const { 'bot-check': token, ...answers } = Object.fromEntries(posts[0] ?? []);
    expect(answers).toMatchObject({ FirstName: 'Sample', Message: 'What are your hours?' });
    // So that the server knows a form which it has had already.
    if (address === '**/graphql') expect(token).toMatch(/^\w/);
    else expect(token).toBe('');
  });
}

test('where the site itself does not answer, nothing takes the place of the page', async ({
  page,
  watch,
}) => {
  watch.expectComplaint('Error submitting form');
  watch.expectComplaint('404');
  watch.expectComplaint('net::ERR_CONNECTION_RESET');
  const posts = await takePosts(page);
  await visit(page, '/contact');
  await fillContact(page);
  await page.route('**/graphql', gone);
  await page.route('**/contact', (route) => route.abort('connectionreset'));
  await send(page).click();
  await expect(page.getByRole('region', { name: 'Alternative Contact Information' })).toBeFocused();
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
  await expect(send(page)).toBeEnabled();
  expect(posts).toEqual([]);
});

test('a visitor who goes to another page meanwhile is not taken back', async ({ page, watch }) => {
  watch.expectComplaint('Error submitting form');
  watch.expectComplaint('404');
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  await page.route('**/graphql', gone);
  const posts = await takePosts(page);
  await visit(page, '/contact');
  await fillContact(page);
  let probed = 0;
  await page.route('**/contact', async (route) => {
    probed++;
    await left;
    await route.continue();
  });
  await send(page).click();
  await expect.poll(() => probed).toBe(1);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await expect(page).toHaveURL('/');
  await expect(page.locator('form')).toHaveCount(0);
  const answered = page.waitForResponse('**/contact');
  leave();
  await answered;
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
  expect(posts).toEqual([]);
  await expect(page).toHaveURL('/');
});

test('a browser without `inert` changes no answer while it is being sent', async ({ page }) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let body = { variables: { fields: [{}] } };
  await page.route('**/graphql', async (route) => {
    body = route.request().postDataJSON();
    await released;
    await route.continue();
  });
  await visit(page, '/contact');
  await fillContact(page);
  await send(page).click();
  const fields = page.locator('form > div').first();
  await expect(fields).toHaveAttribute('inert');
  await fields.evaluate((element) => element.removeAttribute('inert'));
  await textbox(page, 'First name').pressSequentially('Other');
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
  release();
  await expect(page.getByRole('button', { name: 'Make Another Submission' })).toBeVisible();
  expect(body.variables.fields[0]).toEqual({ key: 'FirstName', value: 'Sample' });
});
