import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fillHelp, send, textbox, unfold } from './forms.ts';
import { expect, hold, hydrated, test, visit } from './site.ts';

const times = (page: Page) => page.getByRole('group', { name: 'When is it safe to call or text?' });
const ownWords = (page: Page) => textbox(page, 'Other safe times');
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name });

test('when it is safe to call is asked once a call or a text is chosen', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 390, height: 844 } });
  await visit(page, '/help');
  await expect(times(page)).toBeHidden();
  await tick(page, 'Email').check();
  await expect(times(page)).toBeHidden();
  const before = await tick(page, 'Text message').boundingBox();
  for (const way of ['Text message', 'Phone call']) {
    await tick(page, way).check();
    await expect(times(page)).toBeVisible();
    await expect(ownWords(page)).toBeVisible();
    // Nothing moves under the finger.
    expect(await tick(page, 'Text message').boundingBox()).toEqual(before);
    await tick(page, way).uncheck();
    await expect(times(page)).toBeHidden();
  }
});

test('a page that is posted and comes back keeps the times, and shows them', async ({ openPage }) => {
  const page = await openPage({ javaScriptEnabled: false });
  await page.goto('/help');
  await fillHelp(page);
  await tick(page, 'Mornings').check();
  await page.getByRole('button', { name: 'Easy words' }).click();
  await expect(tick(page, 'Mornings')).toBeChecked();
  await expect(tick(page, 'Mornings')).toBeVisible();
});

test('whoever asks for someone else is told at the tick what the law asks of us', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 390, height: 844 } });
  await visit(page, '/help');
  await unfold(page);
  const asking = tick(page, 'I am asking for someone else');
  const sentence = page.locator('form p').getByText('the law may ask us to tell them');
  await expect(sentence).toBeHidden();
  await asking.check();
  await expect(sentence).toBeVisible();
  await expect(asking).toHaveAccessibleDescription(
    /^Give your own contact details, not theirs\. If you write about someone else, the law may ask us/,
  );
  await fillHelp(page);
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'we have your request' })).toBeFocused();
});

test('number and email appear under the way that asks for them, and what was typed stays in sight', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 390, height: 844 } });
  await visit(page, '/help');
  const [email, phone] = [textbox(page, 'Email'), textbox(page, 'Phone')];
  await expect(email).toBeHidden();
  await expect(phone).toBeHidden();
  await tick(page, 'Email').check();
  await expect(email).toHaveAccessibleName('Email (you chose Email)');
  await expect(phone).toBeHidden();
  for (const way of ['Text message', 'Phone call']) await tick(page, way).check();
  await expect(phone).toHaveAccessibleName('Phone (you chose Phone call, Text message)');
  await phone.fill('021 000 000');
  for (const way of ['Text message', 'Phone call', 'Email']) await tick(page, way).uncheck();
  // It would be sent, so it is seen, and no longer as a way that was chosen.
  await expect(phone).toHaveAccessibleName('Phone (optional)');
  await expect(phone).toBeVisible();
  await expect(email).toBeHidden();
  await phone.fill('');
  await textbox(page, 'First name').focus();
  await expect(phone).toBeHidden();
});

test('without a script, and before it has started, everything is there', async ({ openPage }) => {
  const all = async (page: Page) => {
    for (const name of ['Email', 'Phone', 'Other safe times'])
      await expect(textbox(page, name)).toBeVisible();
    await expect(tick(page, 'Do not leave a message')).toBeVisible();
    await page.getByText('Tell us more (optional)').click();
    await expect(textbox(page, 'Subject')).toBeVisible();
    await expect(tick(page, 'I am asking for someone else')).toBeVisible();
  };
  const plain = await openPage({ javaScriptEnabled: false });
  await plain.goto('/help');
  await all(plain);
  const page = await openPage();
  const release = await hold(page, '**/assets/entry-client-*.js');
  await page.goto('/help', { waitUntil: 'commit' });
  await all(page);
  // Somebody is in a field that nothing asks for yet: it does not go from under them.
  const phone = textbox(page, 'Phone');
  await phone.focus();
  release();
  await hydrated(page);
  await expect(textbox(page, 'Email')).toBeHidden();
  await page.keyboard.type('021');
  await expect(phone).toHaveValue('021');
  await expect(textbox(page, 'Subject')).toBeVisible();
});

for (const width of [390, 768, 1280]) {
  test(`whom to call now stands directly under the choice at ${width} px, and takes no touch for the next one`, async ({
    openPage,
  }) => {
    const page = await openPage({ viewport: { width, height: 844 } });
    await visit(page, '/help');
    const unsafe = page.locator('label').filter({ has: tick(page, 'Feeling unsafe at home') });
    const beside = page.locator('label').filter({ has: tick(page, 'Someone to talk to') });
    const now = page.locator('fieldset [role=status]');
    const boxOf = async (what: typeof unsafe) => {
      const box = await what.boundingBox();
      return { x: box?.x ?? 0, top: box?.y ?? 0, bottom: (box?.y ?? 0) + (box?.height ?? 0) };
    };
    await expect(now).toHaveCount(1);
    await expect(now).toBeEmpty();
    await unsafe.scrollIntoViewIfNeeded();
    const before = { unsafe: await boxOf(unsafe), beside: await boxOf(beside) };
    await tick(page, 'Feeling unsafe at home').check();
    await expect(now).toContainText('call 111 now');
    expect((await boxOf(now)).top - before.unsafe.bottom).toBeLessThan(20);
    expect((await boxOf(now)).x).toBe(before.unsafe.x);
    expect(await boxOf(unsafe)).toEqual(before.unsafe);
    // On a wide screen the choice beside it stays. On a phone, words take its place and no number.
    if (width > 390) expect(await boxOf(beside)).toEqual(before.beside);
    else {
      const at = { x: before.beside.x + 30, y: (before.beside.top + before.beside.bottom) / 2 };
      const hit = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y)?.closest('a'), at);
      expect(hit ?? null).toBeNull();
    }
  });
}

test('a form of a trust that is older looks as it did: its own order, and no fold', async ({
  openPage,
  ownSite,
}) => {
  const site = await ownSite({
    prepare: (contentDir) =>
      copyFile('test/older-content/before-the-fold/forms/help.yaml', join(contentDir, 'forms/help.yaml')),
  });
  const page = await openPage({ baseURL: site.url });
  await visit(page, '/help');
  const fields = page.locator('form > div').first();
  await expect(fields.locator('details')).toHaveCount(0);
  const keys = await fields
    .locator('input, textarea')
    .evaluateAll((all) => [...new Set(all.map((one) => one.getAttribute('name')))]);
  expect(keys).toEqual([
    'ForSomeoneElse',
    'FirstName',
    'LastName',
    'SafeContact',
    'Email',
    'Phone',
    'CallTimes',
    'OtherTimes',
    'SupportNeeded',
    'Subject',
    'Message',
  ]);
  for (const name of ['Email', 'Phone', 'Subject', 'Last name'])
    await expect(textbox(page, name)).toBeVisible();
  await tick(page, 'Phone call').check();
  await expect(tick(page, 'Do not say who is calling')).toBeVisible();
  // What it asks for is far away, so its hint is a link.
  await page.getByRole('button', { name: 'Which number should we call?' }).click();
  await expect(textbox(page, 'Phone')).toBeFocused();
});
