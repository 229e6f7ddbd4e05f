import { send, textbox } from './forms.ts';
import { expect, expectNoViolations, test, visit } from './site.ts';
import { type State, states } from './states.ts';

/**
 * What a screen reader finds on each page and in each state, in its order: names, roles, levels, states. The files in
 * aria/ are read like a page, those of a state have what it adds; docs/accessibility.md says what was looked for.
 */
for (const state of states) {
  const { name, path, reach, complaint }: State = state;
  test(`a screen reader finds its way through ${name}, and axe finds nothing`, async ({
    openPage,
    watch,
  }) => {
    if (complaint) watch.expectComplaint(complaint);
    const page = await openPage({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    await visit(page, path);
    await reach?.(page);
    await expect(page.locator('body')).toMatchAriaSnapshot({ name: `${name}.aria.yml` });
    // A wide screen has no drawer.
    await expectNoViolations(page, name, name === 'drawer' ? [390] : [390, 1280]);
  });
}

test('everything one can press is at least 44 px each way', async ({ openPage }) => {
  const page = await openPage({ viewport: { width: 390, height: 900 } });
  await page.goto('/help');
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, summary, input, textarea, label:has(input), a')]
      .filter(
        (one) =>
          one.checkVisibility() &&
          !one.matches(
            'p a, li:has(> a):not(nav li, footer li) > a, label input, [href="#main"], [aria-hidden] *',
          ),
      )
      .map((one) => ({ what: one.outerHTML.slice(0, 80), box: one.getBoundingClientRect() }))
      .filter(({ box }) => box.height < 44 || box.width < 40)
      .map(({ what }) => what),
  );
  expect(small).toEqual([]);
});

test('with the keyboard alone: from the home page to a request that is sent, and back', async ({
  openPage,
}) => {
  const page = await openPage({ viewport: { width: 1280, height: 800 } });
  await visit(page, '/');
  const press = async (key: string, times = 1) => {
    for (let count = 0; count < times; count++) await page.keyboard.press(key);
  };

  await press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to the content' })).toBeFocused();
  await press('Enter');
  await press('Tab');
  await expect(page.getByRole('main').getByRole('link', { name: 'Call 111' })).toBeFocused();
  await press('Tab');
  await expect(page.getByRole('main').getByRole('link', { name: 'Get Help' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();

  await press('Tab');
  await expect(page.getByRole('link', { name: 'Call 0800 733 843' })).toBeFocused();
  // Past the number and the chat of the second line.
  await press('Tab', 3);
  await expect(page.getByText('More helplines')).toBeFocused();
  await press('Tab');
  await expect(page.getByText('Leave this site fast')).toBeFocused();
  await press('Tab');
  await expect(page.getByRole('checkbox', { name: 'Feeling unsafe at home' })).toBeFocused();
  await press('Tab');
  await press('Space');
  await expect(page.getByRole('checkbox', { name: 'Someone to talk to' })).toBeChecked();
  await press('Tab', 9);
  await page.keyboard.type('Sample');
  await press('Tab');
  await press('Space');
  await expect(page.getByRole('checkbox', { name: 'Phone call' })).toBeChecked();
  // Past the other ways and the number, which has appeared.
  await press('Tab', 4);
  await expect(textbox(page, 'Phone')).toBeFocused();
  await press('Tab');
  await press('Space');
  await expect(page.getByRole('checkbox', { name: 'Mornings' })).toBeChecked();
  await press('Tab', 8);
  await expect(page.getByText('Tell us more (optional)')).toBeFocused();
  await press('Enter');
  await press('Tab', 3);
  await page.keyboard.type('A word');
  await press('Tab');
  await page.keyboard.type('With someone.');
  await press('Tab', 2);
  const ask = page.getByRole('button', { name: 'Which number should we call?' });
  await expect(ask).toBeFocused();
  await press('Tab');
  await expect(send(page)).toBeFocused();
  await press('Enter');

  await expect(page.getByRole('heading', { name: 'we have your request' })).toBeFocused();
  // Past the trust's own address and number, 111, and the number and the text of a helpline: no number was given to be called at.
  await press('Tab', 6);
  await expect(page.getByRole('button', { name: 'Go to Home Page' })).toBeFocused();
  await press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Nau Mai');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
});
