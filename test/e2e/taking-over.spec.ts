import type { Page } from '@playwright/test';
import { fillContact, fillHelp, send, textbox } from './forms.ts';
import { expect, hold, hydrated, test } from './site.ts';

const hint = (page: Page) => page.getByText('Still needed');

/** Opens a page whose script waits until it is released. */
async function openBeforeScript(page: Page, path: string): Promise<() => void> {
  const release = await hold(page, '**/assets/entry-client-*.js');
  await page.goto(path, { waitUntil: 'commit' });
  await textbox(page, 'First name').waitFor();
  return release;
}

test('the button is disabled, with the reason, only once the script has started', async ({ page }) => {
  const release = await openBeforeScript(page, '/help');
  await expect(send(page)).toBeEnabled();
  await expect(hint(page)).toHaveCount(0);
  release();
  await hydrated(page);
  await expect(send(page)).toBeDisabled();
  await expect(hint(page)).toBeVisible();
});

test('where the script is lost, the page shows nothing that only a script could take back', async ({
  page,
  watch,
}) => {
  watch.expectComplaint('ERR_FAILED');
  await page.route('**/assets/**', (route) => route.abort());
  const lost = page.waitForEvent('requestfailed');
  await page.goto('/help');
  await lost;
  await textbox(page, 'First name').focus();
  await page.getByRole('checkbox', { name: 'Email' }).focus();
  await expect(send(page)).toBeEnabled();
  await expect(hint(page)).toHaveCount(0);
  await expect(page.getByRole('alert')).toHaveCount(0);
});

/** What extensions do to a form before the site's script comes: each makes React throw the page away and draw it anew. */
const insertions: Record<string, (field: HTMLElement) => void> = {
  'inside a label': (field) => {
    field.parentElement?.querySelector('label')?.prepend(document.createElement('i'));
  },
  'before a field': (field) => field.before(document.createElement('div')),
  'around a field': (field) => {
    const around = document.createElement('span');
    field.replaceWith(around);
    around.append(field);
  },
};

for (const [where, insert] of Object.entries({ nowhere: null, ...insertions })) {
  test(`what was typed before the script comes stays and counts, with a node of an extension ${where}`, async ({
    page,
    watch,
  }) => {
    if (insert) watch.expectComplaint('Minified React error #418');
    const release = await openBeforeScript(page, '/help');
    await fillHelp(page);
    if (insert) await textbox(page, 'Email').evaluate(insert);
    const subject = textbox(page, 'Subject');
    await subject.focus();
    for (let back = 0; back < ' word'.length; back++) await page.keyboard.press('ArrowLeft');
    release();
    await hydrated(page);
    await expect(subject).toBeFocused();
    await page.keyboard.type(',');
    await expect(subject).toHaveValue('A quiet, word');
    await expect(textbox(page, 'First name')).toHaveValue('Sample');
    await expect(textbox(page, 'Tell us what is going on')).toHaveValue('Some words about it.');
    await expect(page.getByRole('checkbox', { name: 'Text message' })).toBeChecked();
    await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(2);
    await expect(hint(page)).toHaveCount(0);
    const call = page.waitForRequest('**/graphql');
    await send(page).click();
    expect((await call).postDataJSON().variables.fields).toContainEqual({
      key: 'Subject',
      value: 'A quiet, word',
    });
    await expect(page.getByRole('button', { name: 'Make Another Submission' })).toBeVisible();
  });
}

for (const found of ['as it was sent', 'with a node of an extension in it']) {
  test(`what is typed while the script takes the page over, ${found}, is kept`, async ({ page, watch }) => {
    const strange = found !== 'as it was sent';
    if (strange) watch.expectComplaint('Minified React error #418');
    // A letter in each slice of the take-over: React gives way to the page between two of them by a message.
    await page.addInitScript(() => {
      const typed = 'Words while it starts';
      let letters = 0;
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
        const field = document.querySelector<HTMLTextAreaElement>('textarea');
        if (field && letters < typed.length) {
          field.setRangeText(typed[letters++] ?? '', field.value.length, field.value.length, 'end');
          field.dispatchEvent(new InputEvent('input', { bubbles: true }));
          Object.assign(window, { typed: typed.slice(0, letters) });
        }
        Reflect.apply(postMessage, this, message);
      };
    });
    const release = await openBeforeScript(page, '/contact');
    await fillContact(page);
    await textbox(page, 'Your message to us').fill('');
    if (strange) await textbox(page, 'Email').evaluate(insertions['before a field'] as never);
    release();
    await hydrated(page);
    const typed = await page.evaluate(() => (window as { typed?: string }).typed ?? '');
    expect(typed).not.toBe('');
    await expect(textbox(page, 'Your message to us')).toHaveValue(typed);
    await expect(textbox(page, 'Subject')).toHaveValue('A question');
    await expect(send(page)).toBeEnabled();
  });
}

test('a form that the browser is posting when the script comes is not sent a second time beside it', async ({
  page,
}) => {
  const calls: string[] = [];
  page.on('request', (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  const release = await openBeforeScript(page, '/contact');
  const pressAgain = await hold(page, '**/contact');
  await fillContact(page);
  // The second press is the page's own: Playwright's would wait for the first one's answer.
  await page.exposeFunction('pressedAgain', pressAgain);
  const posted = page.waitForRequest('**/contact');
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    const press = () => form.querySelector<HTMLElement>('[type=submit]')?.click();
    new MutationObserver(() => {
      press();
      Reflect.get(window, 'pressedAgain')();
    }).observe(form, { attributeFilter: ['novalidate'] });
    setTimeout(press);
  });
  await posted;
  release();
  await expect(page.getByRole('button', { name: 'Make Another Submission' })).toBeVisible();
  expect(calls.filter((call) => call.startsWith('POST'))).toEqual(['POST /contact', 'POST /contact']);
});

/** Posts the form before the script has come, and holds the script of the page that answers until it is released. */
async function openAnswer(page: Page, subject: string): Promise<() => void> {
  const release = await openBeforeScript(page, '/contact');
  await fillContact(page);
  await textbox(page, 'Subject').fill(subject);
  await send(page).click();
  await page.locator('html[data-posted]').waitFor();
  return release;
}

test('a visitor who leaves a receipt before the script starts is not taken back to it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 700 });
  const release = await openAnswer(page, 'Before the script');
  await expect(page.getByRole('heading', { name: 'we have your message' })).toBeFocused();
  await expect(page.locator('strong')).toBeInViewport();
  await page.keyboard.press('Tab');
  release();
  await hydrated(page);
  await expect(page.getByRole('button', { name: 'Go to Home Page' })).toBeFocused();
});

test('a visitor who answers another question is not moved to the invalid one when React renders the page anew', async ({
  page,
  watch,
}) => {
  watch.expectComplaint('422');
  watch.expectComplaint('Minified React error #418');
  // Spaces satisfy the browser, and not the server.
  const release = await openAnswer(page, '  ');
  await expect(textbox(page, 'Subject')).toBeFocused();
  const phone = textbox(page, 'Phone');
  await phone.pressSequentially('021');
  await phone.evaluate(insertions['before a field'] as never);
  release();
  await hydrated(page);
  await page.keyboard.type('9');
  await expect(phone).toHaveValue('0219');
  await expect(page.getByRole('alert')).toHaveText('Subject is required');
});

test('a visitor who ticks a choice stays there when React renders the page anew', async ({ page, watch }) => {
  watch.expectComplaint('Minified React error #418');
  const release = await openBeforeScript(page, '/help');
  await textbox(page, 'Phone').pressSequentially('021');
  const choice = page.getByRole('checkbox', { name: 'Counselling' });
  await choice.press('Space');
  await textbox(page, 'First name').evaluate(insertions['before a field'] as never);
  release();
  await hydrated(page);
  await expect(choice).toBeFocused();
  await expect(choice).toBeChecked();
  await expect(textbox(page, 'Phone')).toHaveValue('021');
});
