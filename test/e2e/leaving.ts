import { type NeutralPage, startNeutralPage } from '../support/neutral-page.ts';
import { type SiteServerOptions, startSite } from '../support/site-server.ts';
import { test as base } from './site.ts';

export { expect, hydrated, visit } from './site.ts';

/** A site whose way out leads to a page on this machine, which its pages may ask for. */
export const leavingWith = ({ site: edits = [], ...options }: SiteServerOptions = {}) =>
  base.extend<object, { neutral: NeutralPage }>({
    otherHosts: async ({ neutral }, use) => use([neutral.url]),

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
        const site = await startSite({
          ...options,
          site: [['https://www.metservice.com/', neutral.url], ...edits],
        });
        await use(site);
        await site.stop();
      },
      { scope: 'worker' },
    ],
  });

export const test = leavingWith();
