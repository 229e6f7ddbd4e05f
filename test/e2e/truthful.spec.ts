import type { Page } from '@playwright/test';
import { fillContact, send, textbox } from './forms.ts';
import { expect, hydrated, test } from './site.ts';

const refusal = "Please don't contact me, I will contact you";
const choice = (page: Page, name: string) => page.getByRole('checkbox', { name });
const hints = (page: Page) =>
  page
    .locator('form')
    .getByRole('status')
    .filter({ hasText: /You (chose|ticked)/ });

/** All that must be answered but how it is safe to reach them. */
async function fillRest(page: Page): Promise<void> {
  await textbox(page, 'First name').fill('Sample');
  await choice(page, 'Housing').check();
  await textbox(page, 'Subject').fill('A quiet word');
  await textbox(page, 'Tell us what is going on').fill('Some words about it.');
}

test('who chooses a call and gives no number is asked for one, gently, where they chose it', async ({
  page,
}) => {
  await page.goto('/help');
  await hydrated(page);
  await fillRest(page);
  await expect(hints(page)).toHaveCount(0);
  await choice(page, 'Phone call').scrollIntoViewIfNeeded();
  const before = await choice(page, 'Phone call').boundingBox();
  await choice(page, 'Phone call').check();
  await expect(hints(page)).toHaveText('What number can we ring? You chose Phone call.');
  // Nothing moves under the finger, and nobody is kept from sending.
  expect(await choice(page, 'Phone call').boundingBox()).toEqual(before);
  await expect(send(page)).toBeEnabled();
  await page.getByRole('button', { name: 'What number can we ring?' }).press('Enter');
  await expect(textbox(page, 'Phone')).toBeFocused();
  await page.keyboard.type('021 000 000');
  await expect(hints(page)).toHaveCount(0);
});

test('who ticks a way and asks not to be contacted is told what we will make of it', async ({ page }) => {
  await page.goto('/help');
  await hydrated(page);
  await fillRest(page);
  await choice(page, 'Phone call').check();
  await choice(page, refusal).check();
  await expect(hints(page)).toContainText(`You ticked both “Phone call” and “${refusal}”.`);
  await expect(send(page)).toBeEnabled();
  await choice(page, 'Phone call').uncheck();
  await expect(hints(page)).toHaveCount(0);
});

const receipts = [
  {
    who: 'who left a way',
    chosen: ['Text message', 'Email'],
    answers: { Phone: '021 000 000' },
    says: 'We will get in touch within two working days, in the way you chose: Text message. We will use no other way.',
    rings: false,
  },
  {
    who: 'who asked not to be contacted',
    chosen: [refusal, 'Phone call'],
    answers: { Phone: '021 000 000' },
    says: 'We will not contact you, as you asked.',
    rings: true,
  },
  {
    who: 'who left nothing to reach them with',
    chosen: ['Phone call'],
    answers: {},
    says: 'You left us no number or address for the way you chose, so we cannot reach you.',
    rings: true,
  },
] as const;

for (const scripts of ['with', 'without']) {
  for (const { who, chosen, answers, says, rings } of receipts) {
    test(`${scripts} a script, ${who} reads on the receipt what will be`, async ({ openPage }) => {
      const page = await openPage({ javaScriptEnabled: scripts === 'with' });
      await page.goto('/help');
      await fillRest(page);
      for (const name of chosen) await choice(page, name).check();
      for (const [name, value] of Object.entries(answers)) await textbox(page, name).fill(value);
      await send(page).click();
      const receipt = page.locator('section').filter({ hasText: 'say this reference' });
      await expect(receipt).toContainText('What happens next');
      await expect(receipt).toContainText(says);
      // What there is until then, one touch away.
      for (const number of ['111', '0800733843'])
        await expect(receipt.locator(`a[href="tel:${number}"]`)).toBeVisible();
      const own = receipt.locator('a[href="tel:0800000000"]');
      await expect(own).toHaveCount(rings ? 1 : 0);
      if (rings) await expect(receipt).toContainText('Monday to Friday, 9 am to 4 pm');
    });
  }
}

test('who writes a message reads when it is answered', async ({ page }) => {
  await page.goto('/contact');
  await fillContact(page);
  await send(page).click();
  await expect(page.getByText('We will reply within two working days.')).toBeVisible();
});

test('on a wide screen the numbers beside the receipt stay clear of what is below them', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } });
  await page.goto('/help');
  await hydrated(page);
  await fillRest(page);
  await choice(page, refusal).check();
  await send(page).click();
  await expect(page.getByText('say this reference')).toBeVisible();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const box = async (name: string) => {
    const found = await page
      .getByRole('region', { name })
      .or(page.getByRole('complementary', { name }))
      .boundingBox();
    return found ?? { y: Number.NaN, height: 0 };
  };
  const [now, other] = [await box('Help right now'), await box('Alternative Contact Information')];
  expect(now.y + now.height).toBeLessThan(other.y);
});
