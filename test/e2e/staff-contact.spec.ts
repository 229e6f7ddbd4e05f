import type { Answers } from '../../src/model/answers.ts';
import { createStaffKeys } from '../../src/server/staff/staff-key.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { storeSubmission } from '../support/stored-submissions.ts';
import { testSecret } from '../support/tokens.ts';
import { expect, expectNoViolations, testWith } from './site.ts';

const test = testWith({ env: { BOT_CHECK_SECRET: testSecret } });

test('the page for staff begins with the red line of the mail, and has the call card above its buttons', async ({
  openPage,
  site,
}) => {
  const page = await openPage({ javaScriptEnabled: true, viewport: { width: 390, height: 844 } });
  const open = async (answers: Answers) => {
    const store = await openSqliteStore(site.dataDir);
    const reference = await storeSubmission(store, { receivedAt: new Date(), answers });
    await store.close();
    await page.goto(createStaffKeys(testSecret).pathFor(reference));
    await expectNoViolations(page, Object.values(answers).flat().join(', '));
  };
  const top = async (what: ReturnType<typeof page.getByText>) => (await what.boundingBox())?.y ?? Number.NaN;

  await open({ SafeContact: ['Phone call', "Please don't contact me, I will contact you"] });
  const red = page.getByRole('alert');
  await expect(red).toContainText('DO NOT CONTACT THIS PERSON.');
  await expect(red).toHaveCSS('background-color', 'rgb(179, 20, 29)');
  await expect(red).toHaveCSS('color', 'rgb(255, 255, 255)');
  expect(await top(red)).toBeLessThan(await top(page.getByRole('heading', { level: 1 })));
  await expect(page.getByText('Hide your number')).toHaveCount(0);

  await open({ SafeContact: ['Phone call'], IfSomeoneAnswers: ['Do not leave a message'] });
  await expect(red).toHaveCount(0);
  const card = page.getByRole('region', { name: 'Before you call or text' });
  await expect(card).toContainText('LEAVE NO MESSAGE.');
  await expect(card.getByRole('listitem').first()).toContainText('Hide your number');
  expect(await top(card)).toBeLessThan(await top(page.getByRole('button').first()));
});
