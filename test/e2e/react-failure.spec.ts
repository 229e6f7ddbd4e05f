import type { Page } from '@playwright/test';
import { fillContact, fillHelp, send, textbox, unfold } from './forms.ts';
import { expect, hold, test, visit } from './site.ts';

/** From now on every sentence throws when it is drawn. */
const breakWords = () => {
  String.prototype.matchAll = () => {
    throw new Error('Broken for the test');
  };
};

/** From now on the form throws at each letter: no sentence is drawn again for one. */
const breakValidation = () => {
  String.prototype.trim = () => {
    throw new Error('Broken for the test');
  };
};

/** What a visitor can count on, whatever has happened to the script. */
async function expectStanding(page: Page): Promise<void> {
  await expect(page.getByRole('link', { name: /111/ })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Quick exit' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Alternative Contact' })).toBeVisible();
  await expect(page.getByText('is required')).toHaveCount(0);
  await expect(page.getByText('Still needed')).toHaveCount(0);
  await expect(send(page)).toHaveText('Send Request');
}

/** Presses Send, and gives what the browser itself then posts. */
async function postOf(page: Page): Promise<Record<string, string[]>> {
  const path = new URL(page.url()).pathname;
  const { promise: posted, resolve } = Promise.withResolvers<URLSearchParams>();
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    resolve(new URLSearchParams(route.request().postData() ?? ''));
    await route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Taken</title>' });
  });
  await send(page).click();
  const fields = await posted;
  return Object.fromEntries([...fields.keys()].map((key) => [key, fields.getAll(key)]));
}

const helpAnswers = {
  FirstName: ['Sample'],
  SafeContact: ['Text message'],
  SupportNeeded: ['Someone to talk to'],
  Subject: ['A quiet word'],
  Message: ['Some words about it.'],
};

test.beforeEach(({ watch }) => watch.expectComplaint('Broken for the test'));

test('a script that throws as it starts leaves what was typed, and the form can be sent', async ({
  page,
}) => {
  const release = await hold(page, '**/assets/entry-client-*.js');
  await page.addInitScript(breakWords);
  const broken = page.waitForEvent('console');
  await page.goto('/help', { waitUntil: 'commit' });
  await fillHelp(page);
  await textbox(page, 'Tell us what is going on').focus();
  release();
  await broken;
  await expectStanding(page);
  await expect(textbox(page, 'Tell us what is going on')).toBeFocused();
  expect(await postOf(page)).toMatchObject(helpAnswers);
});

test('an error at a typed letter loses neither the letter, nor the focus, nor the form', async ({ page }) => {
  await visit(page, '/help');
  await fillHelp(page);
  const name = textbox(page, 'First name');
  await name.fill('');
  const subject = textbox(page, 'Subject');
  await subject.fill('A quit word');
  await expect(page.getByRole('alert')).toHaveText('First name is required');
  for (let back = 0; back < 't word'.length; back++) await page.keyboard.press('ArrowLeft');
  await page.evaluate(breakValidation);
  await page.keyboard.type('e');
  await expectStanding(page);
  await page.keyboard.type('!');
  await expect(subject).toHaveValue('A quie!t word');
  await page.keyboard.press('Backspace');
  await expect(name).not.toHaveAttribute('aria-invalid');
  await name.fill('Sample');
  expect(await postOf(page)).toMatchObject(helpAnswers);
});

test('after an error the browser itself asks for the missing answers', async ({ page }) => {
  await visit(page, '/help');
  await unfold(page);
  await page.evaluate(breakValidation);
  await textbox(page, 'Subject').fill('A quiet word');
  await expectStanding(page);
  await send(page).click();
  await expect(textbox(page, 'First name')).toBeFocused();
  await expect(textbox(page, 'Subject')).toHaveValue('A quiet word');
});

test('an error after Send leaves a form that can be sent once more', async ({ page }) => {
  await page.route('**/graphql', async (route) => {
    await page.evaluate(breakWords);
    await route.continue();
  });
  await visit(page, '/help');
  await fillHelp(page);
  const broken = page.waitForEvent('console');
  await send(page).click();
  await broken;
  await expectStanding(page);
  await expect(send(page)).not.toHaveAttribute('aria-busy');
  expect(await postOf(page)).toMatchObject(helpAnswers);
});

test('a receipt once shown stays, whatever is thrown later', async ({ page }) => {
  await page.clock.install({ time: '2026-06-01T00:00:00Z' });
  await visit(page, '/contact');
  await fillContact(page);
  // What can be closed goes by itself after three seconds.
  await page.clock.pauseAt('2026-06-01T00:30:00Z');
  await send(page).click();
  const reference = page.locator('strong');
  await expect(reference).toBeVisible();
  await page.evaluate(breakWords);
  const broken = page.waitForEvent('console');
  // Every sentence is drawn again.
  await page.getByRole('button', { name: 'Easy words' }).click();
  await broken;
  await expect(reference).toHaveText(/^\S+$/);
});

test('errors in two effects at once take nothing away, and double nothing', async ({ page }) => {
  await visit(page, '/contact');
  await fillContact(page);
  await page.evaluate(() => {
    const fail = () => {
      throw new Error('Broken for the test');
    };
    // The receipt's, and the one that closes the snackbar in time.
    Element.prototype.scrollIntoView = fail;
    const { setTimeout } = window;
    window.setTimeout = ((run: () => void, ms?: number) =>
      ms === 3_000 ? fail() : setTimeout(run, ms)) as never;
  });
  const broken = page.waitForEvent('console');
  await send(page).click();
  await broken;
  await expect(page.locator('strong')).toHaveText(/^\S+$/);
  await expect(page.getByRole('banner')).toHaveCount(1);
});

test('an error in what a press does takes nothing away', async ({ page }) => {
  await visit(page, '/');
  await page.evaluate(() => {
    window.scrollTo = () => {
      throw new Error('Broken for the test');
    };
  });
  const logo = page.getByRole('banner').getByRole('link', { name: /Family Support Centre/ });
  await logo.click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('after an error a form that was reached inside the site stays too, also over Back within the page', async ({
  page,
}) => {
  await visit(page, '/');
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await fillHelp(page);
  await page.evaluate(breakValidation);
  await textbox(page, 'Last name').fill('Visitor');
  await expectStanding(page);
  await page.evaluate(() => {
    location.hash = 'main';
  });
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
  await page.goBack();
  await expect(textbox(page, 'First name')).toHaveValue('Sample');
  expect(await postOf(page)).toMatchObject({ ...helpAnswers, LastName: ['Visitor'] });
});

test('a page that cannot be drawn is visited instead, once', async ({ page }) => {
  await visit(page, '/');
  const visits: string[] = [];
  page.on('request', (request) => request.isNavigationRequest() && visits.push(request.url()));
  await page.addInitScript(breakWords);
  await page.evaluate(breakWords);
  await page.getByRole('main').getByRole('link', { name: 'Get Help' }).click();
  await expectStanding(page);
  await fillHelp(page);
  expect(visits).toHaveLength(1);
  expect(await postOf(page)).toMatchObject(helpAnswers);
});
