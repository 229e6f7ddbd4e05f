import { fillHelp, send } from './forms.ts';
import { expect, test, visit } from './leaving.ts';
import { expectNoScrollSideways, expectNoViolations, menuButton, widths } from './site.ts';

const path = '/staying-safe-online';
const named = { name: 'Online safety' };

test('the page says what Quick exit does and does not do, and is reached before it is needed', async ({
  openPage,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await openPage({ javaScriptEnabled, viewport: { width: 960, height: 800 } });
    await page.goto('/');
    const bar = page.getByRole('banner');
    const link = bar.getByRole('link', named);
    const exit = bar.getByRole('link', { name: 'Quick exit' });
    const [linkBox, exitBox] = [await link.boundingBox(), await exit.boundingBox()];
    const between = (exitBox?.x ?? 0) - ((linkBox?.x ?? 0) + (linkBox?.width ?? 0));
    expect(between, 'beside the exit, and not under the same finger').toBeGreaterThanOrEqual(8);
    expect(between).toBeLessThan(40);
    expect((await bar.boundingBox())?.height, 'the bar has one row').toBeLessThan(80);
    await expect(page.getByRole('contentinfo').getByRole('link', named)).toHaveAttribute('href', path);
    await link.click();
    await expect(page).toHaveURL(path);
    await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('What Quick exit does');

    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/');
    await menuButton(page).click();
    await expect(bar.locator('details nav').getByRole('link', named)).toBeVisible();
    await page.goto('/help');
    await page.getByText('Leave this site fast').click();
    await page.getByRole('main').getByRole('link', named).click();
    await expect(page).toHaveURL(path);
  }
});

test('the exit of that page leaves nothing of the site behind Back', async ({ page, neutral }) => {
  await page.goto(neutral.earlierUrl);
  await page.goto('/help');
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Staying safe online');
  await page.getByRole('banner').getByRole('link', { name: 'Quick exit' }).click();
  await expect(page).toHaveURL(neutral.url);
  const tab = await page.context().newCDPSession(page);
  const { entries } = await tab.send('Page.getNavigationHistory');
  expect(entries.map(({ title }) => title).join()).not.toMatch(/Staying|Help|Kōwhai/);
});

for (const width of widths) {
  test(`at ${width} px the page fits, in Easy words too`, async ({ openPage }) => {
    const page = await openPage({ viewport: { width, height: 844 } });
    for (const prefix of ['', '/en-nz-x-easy']) {
      await page.goto(prefix + path);
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        prefix ? 'Stay safe online' : 'Staying safe online',
      );
      await expectNoScrollSideways(page);
      await expectNoViolations(page, prefix + path, [width]);
    }
  });
}

test('the Contact page begins with 111, and leads to the form that asks what is safe', async ({
  openPage,
}) => {
  for (const javaScriptEnabled of [true, false]) {
    const page = await openPage({ javaScriptEnabled, viewport: { width: 390, height: 844 } });
    await page.goto('/contact');
    await expect(page.getByRole('link', { name: 'Call 111' })).toBeInViewport({ ratio: 1 });
    await expect(page.getByText('press 55')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Help right now' })).toBeHidden();
    const line = page.getByRole('main').getByText('could someone else read your email');
    await expect(line).toHaveText(
      'Need help, or could someone else read your email? Use Get Help: it asks what is safe.',
    );
    await line.getByRole('link', { name: 'Get Help' }).click();
    await expect(page).toHaveURL('/help');
  }
});

test('in another language that link leads to the form in that language', async ({ page }) => {
  await page.goto('/en-nz-x-easy/contact');
  await page.locator('main p a[href$="/help"]').click();
  await expect(page).toHaveURL('/en-nz-x-easy/help');
});

test('beside each address that opens a mail program is a way that leaves no sent mail', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Contact Us' }).click();
  await expect(page).toHaveURL('/contact');
  await expect(page.getByRole('region', { name: 'Alternative Contact Information' })).toContainText(
    'An email stays in your Sent folder.',
  );
});

test('a helpline that can be written to has a button that says where it leads, and tells nobody from where', async ({
  page,
}) => {
  await page.goto('/help');
  const chat = page.getByRole('link', { name: 'Chat opens another site' });
  await expect(chat.first()).toBeVisible();
  await expect(chat.first()).toHaveAttribute('href', 'https://www.areyouok.org.nz');
  await expect(chat.first()).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(chat.first()).toHaveAccessibleDescription('Family Violence Information Line');
});

test('an ordinary receipt names the line that answers everyone; an urgent one names the first line too', async ({
  page,
}) => {
  for (const [choice, names] of [
    ['Someone to talk to', ['Call 111', 'Call 1737', 'Text 1737']],
    ['Feeling unsafe at home', ['Call 111', 'Call 1737', 'Text 1737', 'Call 0800 733 843']],
  ] as const) {
    await visit(page, '/help');
    await fillHelp(page);
    await page.getByRole('checkbox', { name: 'Someone to talk to' }).uncheck();
    await page.getByRole('checkbox', { name: choice }).check();
    await send(page).click();
    const receipt = page.locator('section', { has: page.getByText('we have your request') }).last();
    await expect(receipt).toBeVisible();
    await expect(receipt.getByRole('link', { name: /^(Call|Text) (?!0800 000)/ })).toHaveText([...names]);
    if (names.length > 3) await expectNoViolations(page, 'urgent receipt');
  }
});
