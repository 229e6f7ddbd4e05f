import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import PostalMime from 'postal-mime';
import { readContent } from '../../src/server/content/content.ts';
import { composeAwayPage } from '../../src/server/pages/away-page.ts';
import { loadBuiltRenderer } from '../../src/server/pages/built-renderer.ts';
import type { SiteServer } from '../support/site-server.ts';
import { fillContact, fillHelp, send, textbox } from './forms.ts';
import { expect, testWith } from './site.ts';

/** A site of its own: beyond ten such forms from one address in ten minutes the mail waits for others. */
const test = testWith({});

/** What keeps the script from working, each in a real browser. */
const ways = {
  'with scripts off': async () => {},
  'with its script blocked': (page) => page.route('**/assets/**', (route) => route.abort()),
  'with its script stalled for ever': (page) => page.route('**/assets/**', () => {}),
  'with its script throwing at once': (page) =>
    page.route('**/assets/entry-client*', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: 'throw new Error("broken")' }),
    ),
} satisfies Record<string, (page: Page) => Promise<unknown>>;

const forms = {
  help: { path: '/help', fill: fillHelp, missing: 'First name' },
  contact: { path: '/contact', fill: fillContact, missing: 'Subject' },
} as const;

/** The mail that staff get, once it is there. */
async function mailAbout(site: SiteServer, reference: string) {
  const folder = join(site.dataDir, 'mail');
  await expect.poll(async () => (await readdir(folder).catch(() => [])).join()).toContain(reference);
  const name = (await readdir(folder)).find((one) => one.includes(reference)) ?? '';
  return PostalMime.parse(await readFile(join(folder, name)));
}

const reference = (page: Page) => page.locator('strong').filter({ hasText: /^[\w]{4}-[\w]{4}$/ });

for (const [way, form] of [
  ['with scripts off', 'help'],
  ['with scripts off', 'contact'],
  ['with its script blocked', 'contact'],
  ['with its script stalled for ever', 'help'],
  ['with its script throwing at once', 'help'],
] as const) {
  const { path, fill, missing } = forms[form];
  test(`${path} ${way}: an error is corrected, it is sent, and staff are told how it came`, async ({
    openPage,
    watch,
    site,
  }) => {
    if (way.includes('throwing')) {
      watch.expectComplaint('broken');
      // The form's part finds nothing in it.
      watch.expectComplaint('does not provide an export');
    }
    if (way.includes('blocked')) watch.expectComplaint('net::ERR_FAILED');
    const page = await openPage({ javaScriptEnabled: way !== 'with scripts off' });
    await ways[way](page);
    await page.goto(path, { waitUntil: 'commit' });
    await fill(page);
    // Spaces satisfy the browser, and not the server.
    await textbox(page, missing).fill('  ');
    watch.expectComplaint('422');
    await send(page).click();
    await expect(page.getByRole('alert')).toHaveText(`${missing} is required`);
    await expect(textbox(page, missing)).toBeFocused();
    await expect(page.locator('textarea')).not.toHaveValue('');
    await textbox(page, missing).fill('A quiet word');
    await send(page).click();
    await expect(reference(page)).toBeVisible();
    expect(page.url()).toBe(site.url + path);
    const mail = await mailAbout(site, await reference(page).innerText());
    expect(mail.text).toContain('sent without a script, so there was no bot check');
    expect(mail.text).toContain('A quiet word');

    await page.getByRole('button', { name: 'Make Another Submission' }).click();
    await expect(textbox(page, 'First name')).toHaveValue('');
    if (way === 'with scripts off') return;
    await page.goBack({ waitUntil: 'commit' });
    await expect(reference(page)).toHaveCount(0);
    await expect(textbox(page, 'First name')).toHaveValue('');
  });
}

for (const way of ['with scripts off', 'with its script blocked'] as const) {
  test(`${way}: who met the page of a site that is away reads that it was not sent, and sends it by reloading`, async ({
    openPage,
    watch,
    site,
  }) => {
    watch.expectComplaint('503');
    if (way.includes('blocked')) watch.expectComplaint('net::ERR_FAILED');
    const page = await openPage({ javaScriptEnabled: way !== 'with scripts off' });
    await ways[way](page);
    await page.goto('/contact', { waitUntil: 'commit' });
    await fillContact(page);
    const body = await composeAwayPage(
      await loadBuiltRenderer(),
      await readContent('content'),
      true,
      new Date(),
    );
    const headers = { 'cache-control': 'no-store', 'retry-after': '10' };
    await page.route('**/contact', (route) =>
      route.fulfill({ status: 503, contentType: 'text/html; charset=utf-8', headers, body }),
    );
    await send(page).click();
    await expect(page.getByRole('heading', { name: 'Your form was not sent' })).toBeVisible();
    await page.unroute('**/contact');
    await page.reload();
    await expect(reference(page)).toBeVisible();
    const mail = await mailAbout(site, await reference(page).innerText());
    expect(mail.text).toContain('What are your hours?');
  });
}
