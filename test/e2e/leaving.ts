import { type NeutralPage, startNeutralPage } from '../support/neutral-page.ts';
import { startSite } from '../support/site-server.ts';
import { test as base } from './site.ts';

export { expect, hydrated } from './site.ts';

/** A site whose way out leads to a page on this machine. */
export const test = base.extend<object, { neutral: NeutralPage }>({
  neutral: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's parts from here
    async ({}, use) => {
      const neutral = await startNeutralPage();
      await use(neutral);
      await neutral.stop();
    },
    { scope: 'worker' },
  ],

  site: [
    async ({ neutral }, use) => {
      const site = await startSite({ site: [['https://www.metservice.com/', neutral.url]] });
      await use(site);
      await site.stop();
    },
    { scope: 'worker' },
  ],
});
