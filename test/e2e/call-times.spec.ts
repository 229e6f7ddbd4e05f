import type { Page } from '@playwright/test';
import { fillHelp, send, textbox } from './forms.ts';
import { expect, test, visit } from './site.ts';

const times = (page: Page) => page.getByRole('group', { name: 'When is it safe to call?' });
const ownWords = (page: Page) => textbox(page, 'Safe times in your own words');
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
  const asking = tick(page, 'I am asking for someone else');
  const sentence = page.locator('form p').getByText('the law may ask us to tell them');
  await expect(sentence).toBeHidden();
  await asking.check();
  await expect(sentence).toBeVisible();
  await expect(asking).toHaveAccessibleDescription(
    /^Tell us how to reach you, not them\. If you write about someone else, the law may ask us/,
  );
  await fillHelp(page);
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'we have your request' })).toBeFocused();
});
