import type { Page } from '@playwright/test';
import { fillContact, fillHelp, send, textbox, unfold } from './forms.ts';
import { expect, hold, nextFrames, test, visit } from './site.ts';

test('each field tells the browser what it is for', async ({ page }) => {
  await visit(page, '/help');
  await unfold(page);
  for (const name of ['Email', 'Text message']) await page.getByRole('checkbox', { name }).check();
  const hints = { autocomplete: 'email', inputmode: 'email', enterkeyhint: 'next' };
  for (const [name, value] of Object.entries(hints))
    await expect(textbox(page, 'Email')).toHaveAttribute(name, value);
  await expect(textbox(page, 'Phone')).toHaveAttribute('inputmode', 'tel');
  await expect(textbox(page, 'Subject')).toHaveAttribute('autocomplete', 'off');
});

test('a field left empty says so, and the button waits until the form is valid', async ({ page }) => {
  const problem = page.getByRole('alert');
  await visit(page, '/help');
  await expect(send(page)).toBeDisabled();
  await textbox(page, 'First name').focus();
  await expect(problem).toHaveCount(0);
  await page.keyboard.press('Tab');
  await expect(problem).toHaveText('First name is required');
  await expect(textbox(page, 'First name')).toHaveAttribute('aria-invalid', 'true');
  await expect(textbox(page, 'First name')).toHaveAccessibleDescription(/First name is required/);

  const choices = page.getByRole('group', { name: 'A safe way to reach you' });
  await choices.getByRole('checkbox', { name: 'Phone call' }).focus();
  await page.keyboard.press('Tab');
  await expect(problem).toHaveCount(1);
  await textbox(page, 'First name').focus();
  await expect(problem.filter({ hasText: 'A safe way to reach you is required' })).toBeVisible();

  await fillHelp(page);
  await expect(page.getByText('is required')).toHaveCount(0);
  await expect(send(page)).toBeEnabled();
  await textbox(page, 'First name').fill('   ');
  await expect(send(page)).toBeDisabled();
});

test('a request is sent, acknowledged with its reference, and stored', async ({ page, site }) => {
  await visit(page, '/help');
  await fillHelp(page);
  const call = page.waitForRequest('**/graphql');
  await send(page).click();
  const body = (await call).postDataJSON();
  expect(body.query).toMatch(/^mutation submitHelpRequest\b/);
  expect(body.variables.fields).toEqual([
    { key: 'SupportNeeded', value: ['Someone to talk to'] },
    { key: 'FirstName', value: 'Sample' },
    { key: 'SafeContact', value: ['Text message'] },
    { key: 'Email', value: '' },
    { key: 'Phone', value: '' },
    { key: 'CallTimes', value: [] },
    { key: 'OtherTimes', value: '' },
    { key: 'IfSomeoneAnswers', value: [] },
    { key: 'LastName', value: '' },
    { key: 'ForSomeoneElse', value: false },
    { key: 'Subject', value: 'A quiet word' },
    { key: 'Message', value: 'Some words about it.' },
  ]);

  await expect(page.getByRole('heading', { name: 'Ngā mihi, we have your request' })).toBeFocused();
  await expect(page.locator('#form')).toHaveCount(0);
  const reference = await page.locator('strong').textContent();
  expect(site.output()).toContain(`"reference":"${reference}"`);

  await page.getByRole('button', { name: 'Make Another Submission' }).click();
  await expect(textbox(page, 'First name')).toHaveValue('');
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: 'Feeling unsafe at home' })).toBeFocused();
  await expect(page.getByText('We have it.')).toHaveCount(0);
  await expect(send(page)).toBeDisabled();
});

test('what is still needed is listed from the start, as links, and shrinks with each answer', async ({
  page,
}) => {
  await visit(page, '/help');
  const needed = page.locator('form li').getByRole('button');
  await expect(needed).toHaveText(['The kind of help you need', 'First name', 'A safe way to reach you']);
  await expect(send(page)).toHaveAccessibleDescription(
    /^Still needed: The kind of help you need First name A safe/,
  );
  for (const [link, focused] of [
    ['A safe way to reach you', page.getByRole('checkbox', { name: 'Phone call' })],
    ['First name', textbox(page, 'First name')],
    ['The kind of help you need', page.getByRole('checkbox', { name: 'Feeling unsafe at home' })],
  ] as const) {
    await needed.filter({ hasText: link }).press('Enter');
    await expect(focused).toBeFocused();
  }
  await textbox(page, 'First name').fill('Sample');
  await expect(needed).toHaveText(['The kind of help you need', 'A safe way to reach you']);
  await fillHelp(page);
  await expect(page.getByText('Still needed')).toHaveCount(0);
  // An answer of the fold may be too long. Its link opens the fold.
  await textbox(page, 'Subject').fill('x'.repeat(501));
  await page.locator('form details summary').filter({ hasText: 'Tell us more' }).click();
  await page.getByRole('button', { name: 'Subject is longer' }).click();
  await expect(textbox(page, 'Subject')).toBeFocused();
});

for (const hasTouch of [false, true]) {
  test(`a message that appears takes no ${hasTouch ? 'touch' : 'click'} away`, async ({ openPage }) => {
    // Both in view without scrolling: the browser evens out what moves above its upper edge.
    const page = await openPage({ viewport: { width: 390, height: 4_000 }, hasTouch });
    await visit(page, '/help');
    const choice = page.getByRole('checkbox', { name: 'Phone call' });
    await textbox(page, 'First name').focus();
    const { x, y } = (await choice.boundingBox()) ?? { x: 0, y: 0 };
    if (hasTouch) await page.touchscreen.tap(x + 10, y + 10);
    else {
      await page.mouse.move(x + 10, y + 10);
      await page.mouse.down();
      // A slow press: the field has lost the focus before the button goes up.
      await expect(textbox(page, 'First name')).not.toBeFocused();
      await nextFrames(page);
      await page.mouse.up();
    }
    await expect(choice).toBeChecked();
    await expect(page.getByRole('alert')).toHaveText('First name is required');
  });
}

const snackbar = (page: Page) => page.getByRole('status').filter({ hasText: 'We have it.' });

test('the snackbar is green and goes after 3000 ms, or when it is closed', async ({ page }) => {
  await page.clock.install({ time: '2026-06-01T00:00:00Z' });
  await visit(page, '/contact');
  const sendPaused = async (time: string) => {
    await fillContact(page);
    await page.clock.pauseAt(time);
    await send(page).click();
    await expect(snackbar(page)).toBeVisible();
  };
  await sendPaused('2026-06-01T00:30:00Z');
  await expect(snackbar(page).locator('div')).toHaveCSS('background-color', 'rgb(28, 92, 60)');
  await page.clock.runFor(2_900);
  await expect(snackbar(page)).toBeVisible();
  await page.clock.runFor(200);
  await expect(snackbar(page)).toHaveCount(0);
  await page.clock.resume();
  await page.getByRole('button', { name: 'Make Another Submission' }).click();
  await sendPaused('2026-06-01T01:00:00Z');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(snackbar(page)).toHaveCount(0);
});

test('while sending the button says so, keeps the focus, and the answers cannot change', async ({ page }) => {
  const release = await hold(page, '**/graphql');
  await visit(page, '/contact');
  await fillContact(page);
  await textbox(page, 'Subject').press('Enter');
  const sending = page.getByRole('button', { name: 'Sending…' });
  await expect(sending).toBeFocused();
  await expect(sending).toHaveAttribute('aria-busy', 'true');
  await expect(page.locator('form > div').first()).toHaveAttribute('inert');
  await page.keyboard.press('Enter');
  release();
  await expect(page.getByRole('button', { name: 'Make Another Submission' })).toBeVisible();
});
