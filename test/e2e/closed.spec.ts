import { fillContact, send } from './forms.ts';
import { expect, hydrated, test, visit } from './site.ts';

const dayMs = 24 * 3_600_000;
/** A day so far from today that midnight may come during the test. */
const day = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const closed = (from: number, until: number) => ({
  site: [
    ['# closed:\n', `closed: { from: ${day(from)}, until: ${day(until)}, message: On holiday. }\n# x:\n`],
  ] as const,
});

test('arriving inside the site, 111 is heard with the heading, and that the trust is closed', async ({
  openPage,
  ownSite,
}) => {
  const { url } = await ownSite(closed(-3, 5));
  const page = await openPage({ baseURL: url });
  await visit(page, '/');
  // What a screen reader meets on the home page: the heading, 111, then this.
  await expect(page.locator('h1 ~ * #closed, #support #closed')).toHaveText(
    /^On holiday\. We are closed now\./,
  );
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  const heading = page.getByRole('heading', { level: 1, name: 'Request Help' });
  await expect(heading).toBeFocused();
  await expect(heading).toHaveAccessibleDescription(
    /^If you or your children are in danger, call 111 now\. On holiday\. We are closed now\./,
  );
});

test('111 alone is heard with the heading of each form where nothing is closed', async ({ page }) => {
  for (const path of ['/help', '/contact']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleDescription(
      'If you or your children are in danger, call 111 now.',
    );
  }
  await expect(page.locator('#closed')).toHaveCount(0);
});

test('the receipt promises what is true when the server received it, on a page from before too', async ({
  openPage,
  ownSite,
}) => {
  const { url } = await ownSite(closed(3, 9));
  const page = await openPage({ baseURL: url });
  await page.goto('/contact');
  await expect(page.locator('#closed')).toContainText('We will be closed from');
  await hydrated(page);
  await expect(page.getByText(/^When we read this: .* We answer within two working days, or /)).toBeVisible();
  await fillContact(page);
  await send(page).click();
  const receipt = page.locator('#ask');
  await expect(receipt).toContainText('If nobody has read this by then, somebody will on');
  await expect(receipt).toContainText('We will reply within two working days, or when we are back on');
  await page.getByRole('button', { name: 'Make Another Submission' }).click();

  // The page was opened in the week before the closure. The browser's clock says nothing of the days that went by.
  await page.route('**/graphql', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(
      /"receivedAt":"[^"]*"/,
      `"receivedAt":"${day(5)}T00:00:00.000Z"`,
    );
    await route.fulfill({ response: answer, body });
  });
  await fillContact(page);
  await send(page).click();
  await expect(receipt).toContainText('We are closed now. Somebody will read this on');
  await expect(receipt).toContainText('We will reply once we are open again, from');
  await expect(receipt).not.toContainText('within two working days');
  await expect(receipt.getByRole('link', { name: 'Call 111' })).toBeVisible();
});
