import { fillContact, send } from './forms.ts';
import { expect, hydrated, test } from './site.ts';

test('a message is sent, acknowledged with its reference, and kept', async ({ page }) => {
  await page.goto('/contact');
  await hydrated(page);
  await fillContact(page);
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Ngā mihi, we have your message' })).toBeFocused();
  await expect(page.getByText(/Your reference is \S+/)).toBeVisible();
});
