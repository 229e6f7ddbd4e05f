import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { accent } from '../support/pseudo-language.ts';
import { unfold } from './forms.ts';
import { leavingWith } from './leaving.ts';
import { choice, field, onlyNeededWords, reference, sendButton } from './pseudo-site.ts';
import { expect, hydrated } from './site.ts';

const test = leavingWith({
  async prepare(contentDir) {
    await mkdir(join(contentDir, 'pages'));
    await writeFile(
      join(contentDir, 'pages/about-us.md'),
      '---\ntitle: About us\nmenu: true\n---\nWho we are.\n',
    );
    await onlyNeededWords('en-XA', 'ar-XB')(contentDir);
  },
});

/** A mark of a sentence that is shown as it is written: in what is read, and in every attribute. */
const findRawMarks = (page: Page) =>
  page.evaluate(() => {
    const copy = document.documentElement.cloneNode(true) as HTMLElement;
    for (const data of copy.querySelectorAll('script')) data.remove();
    return copy.outerHTML.match(/.{0,60}\{(?:en|ar|mi)[-:].{0,60}/g) ?? [];
  });

const inOriginal = (page: Page, words: string) =>
  page.locator('[lang="en-NZ"]', { hasText: words }).filter({ visible: true }).first();

for (const [tag, javaScriptEnabled] of [
  ['en-xa', true],
  ['ar-xb', false],
] as const)
  test(`${tag}, ${javaScriptEnabled ? 'with' : 'without'} a script: what has no translation is in the original with its language`, async ({
    openPage,
  }) => {
    const page = await openPage({ javaScriptEnabled });
    for (const path of ['', '/contact', '/about-us', '/accessibility', '/help']) {
      await page.goto(`/${tag}${path}`);
      if (javaScriptEnabled && !/about|access/.test(path)) await hydrated(page);
      if (javaScriptEnabled) expect(await findRawMarks(page), path).toEqual([]);
      await expect(inOriginal(page, 'Quick exit')).toBeVisible();
      await expect(inOriginal(page, 'About us')).toBeVisible();
    }
    await expect(inOriginal(page, 'Housing')).toBeVisible();
    if (tag === 'en-xa') await expect(page.getByText(accent('Text message'), { exact: true })).toBeVisible();

    await field(page, 'FirstName').fill('Sample');
    await choice(page, 'Housing').check();
    await choice(page, 'Text message').check();
    if (javaScriptEnabled) {
      await field(page, 'Phone').fill('no number');
      await unfold(page);
      await field(page, 'Message').focus();
      await expect(inOriginal(page, 'This does not look like a phone number')).toBeVisible();
      expect(await findRawMarks(page)).toEqual([]);
    }
    await field(page, 'Phone').fill('021 000 000');
    await unfold(page);
    await field(page, 'Subject').fill('Sample');
    await field(page, 'Message').fill('Sample');
    await sendButton(page).click();
    await expect(reference(page)).toBeVisible();
    await expect(inOriginal(page, 'If you call us, say this reference')).toBeVisible();
    if (javaScriptEnabled) expect(await findRawMarks(page)).toEqual([]);
    else expect(await page.content()).not.toMatch(/>[^<]*\{en-NZ:[^<]*<\/(?!script)/);
  });
