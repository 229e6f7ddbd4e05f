import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { chromiumArgs, getWholeChromium } from '../support/chromium.ts';
import { filesWith } from '../support/find-in-files.ts';
import { startFormElsewhere } from '../support/form-elsewhere.ts';
import { fillContact, send, textbox } from './forms.ts';
import { expect, test, visit } from './leaving.ts';

/** Letters that stand nowhere else. The endings tell which visit left them behind. */
const words = (visit: string) => ({
  'First name': `Jxqvkwz${visit}`,
  Email: `qwzxjkv${visit}@visitor.example`,
  Phone: `02975${visit}38461`,
  Subject: `Zjqxwvk${visit}`,
  'Your message to us': `Kvwxqjz${visit}`,
});

const visits = ['sent', 'posted', 'left', 'crashed'] as const;

/** By the keyboard: a value that a script puts into a field is not stored by any browser. */
async function type(page: Page, visit: string): Promise<void> {
  for (const [name, value] of Object.entries(words(visit)))
    await textbox(page, name).pressSequentially(value);
}

test('a browser stores nothing typed here: not when it is sent, left or crashes, nor without a script', async ({
  site,
  neutral,
}, testInfo) => {
  const elsewhere = await startFormElsewhere();
  const profile = testInfo.outputPath('profile');
  const open = (): Promise<BrowserContext> =>
    chromium.launchPersistentContext(profile, {
      executablePath: getWholeChromium(),
      args: chromiumArgs,
      baseURL: site.url,
    });
  const context = await open();
  const page = await context.newPage();

  await page.goto(elsewhere.url);
  await page.getByRole('textbox').pressSequentially(elsewhere.typed);
  await page.getByRole('button').click();
  await page.getByText('Thank you').waitFor();

  await visit(page, '/contact');
  await type(page, 'sent');
  await send(page).click();
  await page.getByRole('button', { name: 'Make Another Submission' }).waitFor();

  await page.route('**/assets/**', (route) => route.abort());
  await page.goto('/contact', { waitUntil: 'commit' });
  await type(page, 'posted');
  await send(page).click();
  await page.locator('html[data-posted]').waitFor();
  await page.unrouteAll();

  await visit(page, '/contact');
  await type(page, 'left');
  await page.getByRole('link', { name: 'Quick exit' }).first().click();
  await page.waitForURL(neutral.url);

  await visit(page, '/contact');
  await type(page, 'crashed');
  const ended = context.waitForEvent('close');
  const browser = await context.newCDPSession(page);
  browser.send('Browser.crash').catch(() => {});
  await ended;
  // Started once more, the browser writes down what it had only in its journals, and ends as usual.
  await (await open()).close();
  await elsewhere.stop();

  expect(filesWith(profile, elsewhere.typed), 'what is typed elsewhere').not.toEqual([]);
  const found = visits.flatMap((visit) =>
    Object.values(words(visit)).filter((word) => filesWith(profile, word).length > 0),
  );
  expect(found).toEqual([]);
});

test('an empty field names its purpose, and one with a value asks for nothing to be stored', async ({
  page,
}) => {
  const firstName = textbox(page, 'First name');
  await visit(page, '/contact');
  await expect(firstName).toHaveAttribute('autocomplete', 'given-name');
  await firstName.pressSequentially('S');
  await expect(firstName).toHaveAttribute('autocomplete', 'off');
  await firstName.fill('');
  await expect(firstName).toHaveAttribute('autocomplete', 'given-name');
  await fillContact(page);
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await page.goBack();
  await expect(firstName).toHaveValue('Sample');
  await expect(firstName).toHaveAttribute('autocomplete', 'off');
});

test('without a script no field names a purpose, so that nothing posted by the browser itself is stored', async ({
  openPage,
}) => {
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto('/contact');
  await expect(page.locator('main form')).toHaveAttribute('autocomplete', 'off');
  await expect(page.locator('main input:not([autocomplete=off]):is([type=text], :not([type]))')).toHaveCount(
    0,
  );
});
