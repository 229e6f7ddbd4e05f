import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SiteServer } from '../support/site-server.ts';
import { fillContact, fillHelp, send, textbox } from './forms.ts';
import { failFirst, otherWays, receipt, refuse } from './sending.ts';
import { expect, test, visit } from './site.ts';

const arrived = 'we have your request';

test('a form that cannot be sent keeps the answers and leads to the other way to reach us', async ({
  page,
  watch,
}) => {
  watch.expectComplaint(`Error submitting form Error: Could not submit get help request`);
  await failFirst(page, refuse('SOMETHING_ELSE'));
  await visit(page, '/help');
  await fillHelp(page);
  await send(page).click();
  const other = otherWays(page);
  await expect(other).toBeFocused();
  // Said with the focus, and by no live region a second time.
  await expect(other).toHaveAccessibleName('Alternative Contact Information');
  await expect(other).toHaveAccessibleDescription(
    new RegExp(
      `^Not sent yet\\? It has reached us once you see “${arrived}”. What you wrote is still here: press Send again, call 0800 000 000, or write to kiaora@kowhai.example ?.$`,
    ),
  );
  const live = page.locator('[role=alert], [role=status], [aria-live]');
  await expect(live.filter({ hasText: /reached|Contact|sent/ })).toHaveCount(0);
  await expect(live.filter({ has: other })).toHaveCount(0);
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
  await send(page).click();
  await expect(receipt(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: arrived })).toBeVisible();
  await expect(other).toContainText(
    /^Alternative Contact Information\s*Call 0800 000 000.*You can also write to kiaora/,
  );
  await expect(other).not.toContainText(/not reached|Send|does not work/);
  await receipt(page).click();
  await expect(other).toContainText('press Send again');
});

test('a message for failures is shown where the trust has written one', async ({
  openPage,
  watch,
  ownSite,
}) => {
  watch.expectComplaint('Error submitting form');
  const site = await ownSite({ site: [['failureMessage: ""', 'failureMessage: It did not go through.']] });
  const page = await openPage({ baseURL: site.url });
  await failFirst(page, refuse('SOMETHING_ELSE'));
  await visit(page, '/contact');
  await fillContact(page);
  await expect(page.getByText('It did not go through.')).toHaveCount(0);
  // What is described at the moment of the focus is what is said.
  const saidWithFocus = page.evaluate(
    () =>
      new Promise((resolve) => {
        const block = document.getElementById('contact');
        block?.addEventListener('focus', () => resolve(block.innerText));
      }),
  );
  await send(page).click();
  await expect(page.getByText('It did not go through.')).toBeVisible();
  expect(await saidWithFocus).toContain('It did not go through.');
});

test('a form that the trust changes while it is being filled in keeps the answers and asks what is new', async ({
  openPage,
  watch,
  ownSite,
}) => {
  watch.expectComplaint('Error submitting form Error: Could not submit contact request');
  const site = await ownSite();
  const page = await openPage({ baseURL: site.url });
  await visit(page, '/contact');
  await fillContact(page);
  const form = join(site.contentDir, 'forms/contact.yaml');
  const before = await readFile(form, 'utf8');
  const town =
    '- key: Town\n  type: text\n  displayName: Town\n  description: Where you live\n  required: true\n';
  await change(site, form, `${before}\n${town}`);
  await send(page).click();
  await expect(page.getByRole('alert')).toHaveText('Town is required');
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
  await textbox(page, 'Town').fill('Sampleville');
  // And one that is gone again by then is simply left out.
  await change(site, form, before);
  await send(page).click();
  await expect(receipt(page)).toBeVisible();
});

async function change({ output }: SiteServer, file: string, text: string): Promise<void> {
  const reloads = () => output().split('"event":"content changed"').length;
  const before = reloads();
  await writeFile(file, text);
  await expect.poll(reloads).toBeGreaterThan(before);
}
