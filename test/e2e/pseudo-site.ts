import type { Page } from '@playwright/test';
import { type SiteServer, startSite } from '../support/site-server.ts';
import { test as base } from './leaving.ts';

/** A site in two pseudo-languages beside the original, whose way out leads to a page on this machine. */
export const test = base.extend<object, { site: SiteServer }>({
  site: [
    async ({ neutral }, use) => {
      const site = await startSite({
        site: [['https://www.metservice.com/', neutral.url]],
        languages: ['en-XA', 'ar-XB'],
      });
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
});

/** The link or button of a language, by its tag. */
export const choiceOf = (page: Page, tag: string) => page.locator(`nav li > [lang="${tag}"]`);

/** By key, which is the same in every language. */
export const field = (page: Page, key: string) => page.locator(`form [name="${key}"]`);
export const choice = (page: Page, words: string) => page.locator(`input[value="${words}"]`);
export const sendButton = (page: Page) => page.locator('form [type=submit]');
export const reference = (page: Page) => page.locator('strong').filter({ hasText: /^\w{4}-\w{4}$/ });
