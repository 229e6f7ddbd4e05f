import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { toEntries } from '../../src/model/answers.ts';
import { createSubmissionMail } from '../../src/server/delivery/letter/submission-mail.ts';
import { writeMail } from '../../src/server/delivery/mail.ts';
import { createSeal, generateKeyPair } from '../../src/server/submissions/seal.ts';
import { awhina } from '../support/command.ts';
import { shippedContent } from '../support/forms.ts';
import { addresses, answered } from '../support/stored-submissions.ts';
import { receivedAt, stored } from '../support/submission-mail.ts';

const reference = 'HK7W-3RQX';
const { definition } = shippedContent.forms.help;
const hostile = '<img src=x onerror="alert(1)"></script><b>bold</b>';

/** A folder with the reader, a sealed file, the mail it came in and the key; and a browser that has no network. */
const test = base.extend<{ folder: string; reader: Page }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's parts from here
  folder: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'awhina-reader-'));
    const made = await awhina(['open', '--make-reader', join(folder, 'reader.html')]);
    expect(made).toMatchObject({ code: 0, err: '' });
    const { recipient, identity } = await generateKeyPair();
    const sealed = await createSeal([recipient])(
      toEntries(definition, { ...answered.help, SafeContact: ['Phone call'], Message: hostile }),
      {
        form: 'help',
        receivedAt: receivedAt.toISOString(),
        urgent: true,
        verdict: { kind: 'clean' },
        definition,
        language: 'ar-XB',
      },
    );
    const submission = stored('help', {}, { answers: sealed, delivery: { urgent: true } });
    const mail = createSubmissionMail(submission, shippedContent.site, addresses, receivedAt);
    writeFileSync(join(folder, `${reference}.age`), sealed.sealed);
    writeFileSync(join(folder, 'mail.eml'), (await writeMail(mail)).raw);
    writeFileSync(join(folder, 'key.txt'), `# the private half\n${identity}\n`);
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  reader: async ({ browser, folder }, use) => {
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const address = pathToFileURL(join(folder, 'reader.html')).href;
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (request.url() !== address) complaints.push(`request to ${request.url()}`);
    });
    await page.goto(address);
    await use(page);
    expect(complaints).toEqual([]);
    await context.close();
  },
});

async function expectLetter(page: Page): Promise<void> {
  await expect(page.getByRole('status')).toHaveText('1 opened.');
  const boxes = page.getByRole('alert');
  await expect(boxes.nth(0)).toContainText('URGENT');
  await expect(boxes.nth(1)).toContainText('DO NOT EMAIL OR REPLY.');
  // Amber, and above all else: the styles are those of the mail.
  await expect(boxes.nth(1)).toHaveCSS('background-color', 'rgb(255, 225, 168)');
  const letters = page.locator('#letters');
  await expect(letters).toContainText(`Reference: ${reference}`);
  await expect(letters).toContainText('Sunday, 15 November 2026');
  await expect(letters).toContainText('Written on the page in: Arabic (Pseudo-Bidi) (ar-XB)');
  await expect(letters.locator('[lang="ar-XB"]', { hasText: hostile })).toHaveCount(1);
  await expect(letters.locator('img, b, script')).toHaveCount(0);
}

test('a sealed file and a key that are chosen open as the mail would have been', async ({
  reader,
  folder,
}) => {
  await reader.getByLabel('The attachment').setInputFiles(join(folder, `${reference}.age`));
  await expect(reader.getByRole('status')).toHaveText('Now choose your private key.');
  await reader.getByLabel('The key file').setInputFiles(join(folder, 'key.txt'));
  await expectLetter(reader);
  await reader.getByRole('button', { name: 'Close what is open' }).click();
  await expect(reader.locator('#letters')).toBeEmpty();
  await expect(reader.getByLabel('The key file')).toHaveValue('');
});

test('a whole mail opens with the key pasted', async ({ reader, folder }) => {
  await reader.getByLabel('Or paste the line').fill(readFileSync(join(folder, 'key.txt'), 'utf8'));
  await reader.getByLabel('The attachment').setInputFiles(join(folder, 'mail.eml'));
  await expectLetter(reader);
});

test('files that are dropped open too', async ({ reader, folder }) => {
  const drop = async (place: string, name: string) => {
    const text = readFileSync(join(folder, name), 'utf8');
    const data = await reader.evaluateHandle(
      ([content, file]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content ?? ''], file ?? ''));
        return transfer;
      },
      [text, name],
    );
    await reader.locator(place).dispatchEvent('drop', { dataTransfer: data });
  };
  await drop('#sealed-drop-zone', `${reference}.age`);
  await drop('#key-drop-zone', 'key.txt');
  await expectLetter(reader);
});

test('a wrong key, a mistyped key and a text that is no key each have their message', async ({
  reader,
  folder,
}) => {
  await reader.getByLabel('The attachment').setInputFiles(join(folder, `${reference}.age`));
  await reader.getByLabel('Or paste the line').fill('My key');
  await expect(reader.getByRole('status')).toContainText('That is no private key.');
  const key = readFileSync(join(folder, 'key.txt'), 'utf8').trim();
  await reader.getByLabel('Or paste the line').fill(key.slice(0, -1));
  await expect(reader.getByRole('status')).toContainText('has a typing mistake, or part of it is missing');
  await reader.getByLabel('Or paste the line').fill((await generateKeyPair()).identity);
  await expect(reader.getByRole('status')).toHaveText(
    'It could not be opened: the key is complete, but it was sealed to another one.',
  );
});

test('the page could send nothing if it wanted to', async ({ browser, folder }) => {
  const page = await browser.newPage();
  await page.goto(pathToFileURL(join(folder, 'reader.html')).href);
  await page.evaluate(async () => {
    const blocked: string[] = [];
    Object.assign(window, { blocked });
    document.addEventListener('securitypolicyviolation', ({ violatedDirective }) =>
      blocked.push(violatedDirective),
    );
    const tries = [
      () => fetch('http://127.0.0.1:9/'),
      () => fetch('data:text/plain,x'),
      async () => void new WebSocket('ws://127.0.0.1:9/'),
    ];
    for (const one of tries) await one().catch(() => {});
    const image = document.createElement('img');
    image.src = 'http://127.0.0.1:9/';
    const script = document.createElement('script');
    script.textContent = 'document.title = "run"';
    document.body.append(image, script);
  });
  const blocked = () => page.evaluate(() => [...new Set(Object(window).blocked as string[])].toSorted());
  await expect.poll(blocked).toEqual(['connect-src', 'img-src', 'script-src-elem']);
  await expect(page).toHaveTitle('Open sealed requests');
  await page.close();
});
