import { createStaffKeys } from '../../src/server/staff/staff-key.ts';
import { signOf } from '../../src/server/store/contract/times.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { nzDay } from '../../src/server/time/nz-time.ts';
import { storeSubmission } from '../support/stored-submissions.ts';
import { testSecret } from '../support/tokens.ts';
import { expect, expectNoViolations, testWith } from './site.ts';

const test = testWith({ env: { BOT_CHECK_SECRET: testSecret } });

test('staff say with the keyboard alone, without a script, that they are on a request, that it is answered, and undo it', async ({
  openPage,
  site,
  watch,
}) => {
  watch.expectComplaint('422');
  const store = await openSqliteStore(site.dataDir);
  const reference = await storeSubmission(store, { receivedAt: new Date(), urgent: true });
  await store.close();
  const page = await openPage({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const check = async () => {
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      // Nothing is cut off or scrolled sideways, and every button is as large as a thumb.
      expect(await page.locator('main').evaluate(({ scrollWidth }) => scrollWidth)).toBeLessThanOrEqual(
        width,
      );
      for (const button of await page.getByRole('button').all())
        expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(48);
    }
  };
  const { keyboard } = page;
  const tabTo = async (name: string) => {
    const wanted = page.getByRole('button', { name });
    for (let presses = 0; presses < 6; presses++) {
      if (await wanted.evaluate((one) => one === document.activeElement)) return;
      await keyboard.press('Tab');
    }
    throw new Error(`No way to ${name}`);
  };

  await page.goto(createStaffKeys(testSecret).pathFor(reference));
  await expect(page.getByRole('heading', { name: `Request ${reference}` })).toBeVisible();
  await expect(page.getByText('Nobody is on it yet.')).toBeVisible();
  await check();

  await tabTo('I’ll take this');
  await keyboard.press('Enter');
  await expect(page.getByText('Nothing is recorded yet.')).toBeVisible();
  const name = page.getByRole('textbox', { name: 'Your initials or first name' });
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/1 to 20 letters/);

  await keyboard.type('AB');
  await keyboard.press('Enter');
  // What was typed last, for the next press.
  await expect(name).toHaveValue('AB');
  await expect(page.getByText('Recorded: somebody on your team is on it.')).toBeVisible();
  await expect(page).toHaveTitle(`Recorded: ${reference}`);
  await page.reload();
  await expect(page.getByText('Somebody on your team has been on it since')).toBeVisible();
  await check();

  await name.focus();
  await keyboard.type('CD');
  await tabTo('I’ve answered');
  await keyboard.press('Enter');
  await expect(page.getByText('Answered on')).toBeVisible();
  // Whoever has the link learns no name.
  await expect(page.locator('main')).not.toContainText(/\b(AB|CD)\b/);
  await tabTo('Undo: it is not answered');
  await keyboard.press('Enter');
  await expect(page.getByText('That is undone. Somebody on your team has been on it since')).toBeVisible();

  await tabTo('I could not reach them');
  await keyboard.press('Enter');
  await expect(page.getByText('Recorded: you could not reach them. The reminders go on.')).toBeVisible();
  await expect(name).toHaveValue('CD');
  await tabTo('They asked us not to contact them any more');
  await keyboard.press('Enter');
  await expect(page.getByText('DO NOT CONTACT THIS PERSON.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'I could not reach them' })).toHaveCount(0);
  await check();
  await tabTo('They withdrew it');
  await keyboard.press('Enter');
  await expect(page.getByText('It will be erased on')).toBeVisible();
  await check();
  await tabTo('Undo: they did not withdraw it');
  await keyboard.press('Enter');
  await expect(page.getByText('That is undone.')).toBeVisible();
  await expect(page.getByText('DO NOT CONTACT THIS PERSON.')).toBeVisible();
});

test('somebody shows with the keyboard alone, without a script, that a letter was read', async ({
  openPage,
  site,
}) => {
  const page = await openPage({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const letter = { day: nzDay(new Date()), form: 'help' } as const;
  await page.goto(createStaffKeys(testSecret).pathForLetter(letter));
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'I have read this letter' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Recorded: the mail reached a person.')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  const store = await openSqliteStore(site.dataDir);
  expect(await store.findTime(signOf(letter))).not.toBeNull();
  await store.close();
});

test('axe finds nothing on the page for staff, nor on the one without a key', async ({
  openPage,
  site,
  watch,
}) => {
  watch.expectComplaint('404');
  const store = await openSqliteStore(site.dataDir);
  const reference = await storeSubmission(store, { receivedAt: new Date(), urgent: true });
  await store.recordStep(reference, 'taken', 'AB', new Date());
  const stopped = await storeSubmission(store, { receivedAt: new Date() });
  for (const wish of ['no-contact', 'withdrawn'] as const)
    await store.recordStep(stopped, wish, 'AB', new Date());
  await store.close();
  const page = await openPage();
  const keys = createStaffKeys(testSecret);
  const letter = keys.pathForLetter({ test: '0123456789abcdef' });
  const withdrawn = `${keys.pathFor(stopped)}?now=withdrawn`;
  for (const path of [`${keys.pathFor(reference)}?now=late`, withdrawn, letter, '/staff/none']) {
    await page.goto(path);
    await expectNoViolations(page, path);
  }
  await expect(page.getByRole('heading', { name: 'There is nothing here' })).toBeVisible();
});
