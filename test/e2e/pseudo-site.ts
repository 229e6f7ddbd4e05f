import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { type PseudoTag, writePseudoLanguage } from '../support/pseudo-language.ts';
import { expect, leavingWith } from './leaving.ts';

/** Replaces the languages of a copy of content/. */
export const onlyPseudoLanguages =
  (...tags: PseudoTag[]) =>
  async (contentDir: string): Promise<void> => {
    await rm(join(contentDir, 'languages'), { recursive: true, force: true });
    for (const tag of tags) await writePseudoLanguage(contentDir, tag);
  };

/** Of these languages, no more than visitors must have: all else is in the original. */
export const onlyNeededWords =
  (...tags: PseudoTag[]) =>
  async (contentDir: string): Promise<void> => {
    await onlyPseudoLanguages()(contentDir);
    for (const tag of tags)
      await writePseudoLanguage(contentDir, tag, {
        change: ({ isNeeded }, translation) => (isNeeded ? { translation } : null),
      });
  };

/** A site in two pseudo-languages beside the original, whose way out leads to a page on this machine. */
export const test = leavingWith({ prepare: onlyPseudoLanguages('en-XA', 'ar-XB') });

/** The link or button of a language, by its tag. */
export const choiceOf = (page: Page, tag: string) => page.locator(`nav li > [lang="${tag}"]`);

/** By key, which is the same in every language. */
export const field = (page: Page, key: string) => page.locator(`form [name="${key}"]`);
export const choice = (page: Page, words: string) => page.locator(`input[value="${words}"]`);
export const sendButton = (page: Page) => page.locator('form [type=submit]');
export const reference = (page: Page) => page.locator('strong').filter({ hasText: /^\w{4}-\w{4}$/ });

export async function fillContact(page: Page): Promise<void> {
  for (const key of ['FirstName', 'Subject', 'Message']) await field(page, key).fill('Sample');
  await field(page, 'Email').fill('sample@visitor.example');
}

export const root = (page: Page) => page.locator('html');

export async function expectLanguage(page: Page, tag: string, path: string): Promise<void> {
  await expect(root(page)).toHaveAttribute('lang', tag);
  await expect(choiceOf(page, tag)).toHaveAttribute('aria-current', 'true');
  await expect.poll(() => new URL(page.url()).pathname).toBe(path);
}
