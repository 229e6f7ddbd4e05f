import { defineConfig } from '@playwright/test';
import { chromiumArgs, getChromium } from './test/support/chromium.ts';
import { beQuick } from './test/support/quick-machine.ts';

beQuick();

export default defineConfig({
  testDir: 'test/e2e',
  workers: 2,
  forbidOnly: true,
  retries: 0,
  // A hang ends here. A busy machine does not: some of these start servers and cut pictures.
  timeout: 480_000,
  reporter: 'list',
  // What a screen reader finds on each page, as text: the walk through docs/accessibility.md speaks of.
  expect: { timeout: 60_000, toMatchAriaSnapshot: { pathTemplate: 'test/e2e/aria/{arg}{ext}' } },
  use: { launchOptions: { executablePath: getChromium(), args: chromiumArgs } },
});
