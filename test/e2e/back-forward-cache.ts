import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumArgs, getWholeChromium } from '../support/chromium.ts';
import { expect, test as leaving } from './leaving.ts';

/** Playwright turns the back-forward cache off; here it is what is tested. */
export const test = leaving.extend<object, { caching: Browser }>({
  caching: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of a fixture's parts from here
    async ({}, use) => {
      const browser = await chromium.launch({
        executablePath: getWholeChromium(),
        args: chromiumArgs,
        ignoreDefaultArgs: ['--disable-back-forward-cache'],
      });
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
});

/** Everything a field could show, or give back on Undo. */
export async function expectNothingTyped(page: Page): Promise<void> {
  for (const field of await page.getByRole('textbox').all()) {
    await expect(field).toHaveValue('');
    await field.focus();
    await page.keyboard.press('ControlOrMeta+z');
    await expect(field).toHaveValue('');
  }
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0);
  const html = await page.content();
  for (const words of ['Sample', 'A quiet word', 'Some words about it']) expect(html).not.toContain(words);
}
