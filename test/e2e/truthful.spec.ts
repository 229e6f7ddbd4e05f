import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { send, textbox, unfold } from './forms.ts';
import { expect, test, visit } from './site.ts';

const refusal = "Please don't contact me, I will contact you";
const choice = (page: Page, name: string) => page.getByRole('checkbox', { name });
const hints = (page: Page) =>
  page
    .locator('form')
    .getByRole('status')
    .filter({ hasText: /Which (number|email)|You ticked/ });

/** All that must be answered but how it is safe to reach them. */
async function fillRest(page: Page): Promise<void> {
  await textbox(page, 'First name').fill('Sample');
  await choice(page, 'Housing').check();
  await unfold(page);
  await textbox(page, 'Subject').fill('A quiet word');
  await textbox(page, 'Tell us what is going on').fill('Some words about it.');
}

test('a visitor who chooses a call and gives no number is asked for one, gently, at the choice', async ({
  page,
}) => {
  await visit(page, '/help');
  await fillRest(page);
  await expect(hints(page)).toHaveCount(0);
  await choice(page, 'Phone call').scrollIntoViewIfNeeded();
  const before = await choice(page, 'Phone call').boundingBox();
  await choice(page, 'Phone call').check();
  await expect(hints(page)).toHaveText('Which number should we call?');
  // Nothing moves under the finger, and nobody is kept from sending.
  expect(await choice(page, 'Phone call').boundingBox()).toEqual(before);
  await expect(send(page)).toBeEnabled();
  // The question is there now, and says why. At the button, which may be far, there is a link to it.
  await expect(textbox(page, 'Phone')).toHaveAccessibleName('Phone (you chose Phone call)');
  const asking = page.getByRole('button', { name: 'Which number should we call?' });
  await asking.press('Enter');
  await expect(textbox(page, 'Phone')).toBeFocused();
  await page.keyboard.type('021 000 000');
  await expect(asking).toHaveCount(0);
});

const urgentChoice = 'Feeling unsafe at home';

test('a visitor who does not feel safe is told whom to call now, at the choice, and can go on', async ({
  page,
}) => {
  await visit(page, '/help');
  await fillRest(page);
  await choice(page, 'Email').check();
  const now = page.locator('form').getByRole('status').filter({ hasText: 'call 111 now' });
  await expect(now).toHaveCount(0);
  await choice(page, urgentChoice).scrollIntoViewIfNeeded();
  const before = await choice(page, urgentChoice).boundingBox();
  await choice(page, urgentChoice).check();
  await expect(now).toContainText('You can also talk to 1737. Free, day and night.');
  for (const address of ['tel:111', 'tel:1737', 'sms:1737'])
    await expect(now.locator(`a[href="${address}"]`)).toBeVisible();
  expect(await choice(page, urgentChoice).boundingBox()).toEqual(before);
  await expect(send(page)).toBeEnabled();
  await expect(page.getByText(/When we read this: Monday to Friday.* We answer within two/)).toBeVisible();
  await choice(page, urgentChoice).uncheck();
  await expect(now).toHaveCount(0);
});

for (const javaScriptEnabled of [true, false]) {
  test(`${javaScriptEnabled ? 'with' : 'without'} a script, a visitor who does not feel safe reads first whom to call`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled });
    await page.goto('/help');
    await fillRest(page);
    await choice(page, urgentChoice).check();
    await choice(page, 'Text message').check();
    await textbox(page, 'Phone').fill('021 000 000');
    await send(page).click();
    const receipt = page.locator('section').filter({ hasText: 'say this reference' });
    await expect(receipt).toHaveText(
      /we have your request.*call 111 now.*1737.*Call 1737.*Thank you.*We will get in/,
    );
    await expect(receipt.locator('a[href="tel:111"]')).toHaveCount(1);
  });
}

test('a trust without a number, without hours and without a line for every hour promises none of them', async ({
  openPage,
  ownSite,
}) => {
  const site = await ownSite({
    site: [
      ['phone: "0800 000 000"\n', ''],
      ['hours: Monday to Friday, 9 am to 4 pm\n', ''],
    ],
  });
  const lines = join(site.contentDir, 'helplines.yaml');
  await writeFile(lines, (await readFile(lines, 'utf8')).replace('    always: true\n', ''));
  const page = await openPage({ baseURL: site.url });
  await expect.poll(async () => (await page.request.get('/help')).text()).not.toMatch(/always/);
  await visit(page, '/help');
  await fillRest(page);
  await choice(page, urgentChoice).check();
  const now = page.locator('form').getByRole('status').filter({ hasText: 'call 111 now' });
  await expect(now.getByRole('link')).toHaveText(['Call 111']);
  await expect(page.getByText('We answer within two working days.', { exact: true })).toBeVisible();
  await expect(page.getByText('When we read this')).toHaveCount(0);
  await choice(page, 'Text message').check();
  await send(page).click();
  const receipt = page.locator('section').filter({ hasText: 'We cannot reach you' });
  await expect(receipt).toContainText(
    /kiaora@kowhai\.example, or 12 Example Street.* say this reference: \S+/,
  );
  await expect(receipt.getByRole('link', { name: /^Call/ })).toHaveText(['Call 111', 'Call 0800 733 843']);
});

test('a visitor who ticks a way of contact and asks not to be contacted is told of the contradiction', async ({
  page,
}) => {
  await visit(page, '/help');
  await fillRest(page);
  await choice(page, 'Phone call').check();
  await choice(page, refusal).check();
  await expect(hints(page).first()).toContainText(`You ticked both “Phone call” and “${refusal}”.`);
  await expect(page.getByText('We answer')).toHaveCount(0);
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
    says: 'We cannot reach you, because you left no number or email that we can use.',
    rings: true,
  },
  {
    who: 'who left a number that is none',
    chosen: ['Phone call', 'Email'],
    answers: { Phone: 'banana', Email: 'not an email' },
    says: 'We cannot reach you, because you left no number or email that we can use.',
    rings: true,
  },
] as const;

for (const { who, chosen, answers, says, rings } of receipts) {
  test(`without a script, ${who} reads on the receipt what will be`, async ({ openPage }) => {
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto('/help');
    await fillRest(page);
    for (const name of chosen) await choice(page, name).check();
    for (const [name, value] of Object.entries(answers)) await textbox(page, name).fill(value);
    await send(page).click();
    const receipt = page.locator('section').filter({ hasText: 'say this reference' });
    await expect(receipt).toContainText('What happens next');
    await expect(receipt).toContainText(says);
    // What there is until then, one touch away.
    for (const number of ['111', '1737'])
      await expect(receipt.locator(`a[href="tel:${number}"]`)).toBeVisible();
    const own = receipt.locator('a[href="tel:0800000000"]');
    await expect(own).toHaveCount(rings ? 1 : 0);
    if (rings) await expect(receipt).toContainText('Monday to Friday, 9 am to 4 pm');
  });
}

test('on a wide screen the numbers beside the receipt stay clear of what is below them', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } });
  await visit(page, '/help');
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
