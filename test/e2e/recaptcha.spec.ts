import { startFakeRecaptcha } from '../support/fake-recaptcha.ts';
import { fillContact, send, textbox } from './forms.ts';
import { expect, hydrated, test } from './site.ts';

test('with reCAPTCHA set, its script comes when a form is begun and its token goes with the request', async ({
  openPage,
  watch,
  ownSite,
}) => {
  const google = await startFakeRecaptcha('localhost');
  const site = await ownSite({
    env: {
      PUBLIC_URL: 'http://localhost',
      RECAPTCHA_SITE_KEY: 'site-key',
      RECAPTCHA_SECRET_KEY: 'secret-key',
      RECAPTCHA_URL: google.url,
    },
  });
  watch.expectComplaint(`request to ${google.url}/recaptcha/api.js?render=site-key`);
  const page = await openPage({ baseURL: site.url });
  const response = await page.goto('/contact');
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toMatch(/script-src 'self' 'sha256-\S+' /);
  expect(policy).toContain(` ${google.url} https://www.gstatic.com;`);
  expect(policy).toContain(`frame-src ${google.url};`);
  await hydrated(page);
  expect(google.asked).toEqual([]);

  await textbox(page, 'First name').focus();
  await expect.poll(() => google.asked).toEqual(['/recaptcha/api.js']);
  await fillContact(page);
  const call = page.waitForRequest('**/graphql');
  await send(page).click();
  expect((await call).postDataJSON().variables.recaptchaToken).toMatch(/^site-key\/submit\//);
  await expect(page.getByRole('button', { name: 'Make Another Submission' })).toBeVisible();
  expect(google.asked).toEqual(['/recaptcha/api.js', '/recaptcha/api/siteverify']);
  await google.close();
});
