import { defineConfig } from '@playwright/test';
import { chromiumArgs, getChromium } from './test/support/chromium.ts';
import { setFastEnvironment } from './test/support/fast-environment.ts';

setFastEnvironment();

export default defineConfig({
  testDir: 'test/e2e',
  workers: 2,
  forbidOnly: true,
  retries: 0,
  // Only a test that hangs reaches this limit. On a busy machine tests take minutes: some start servers and render pictures.
  timeout: 480_000,
  reporter: 'list',
  // The snapshots hold as text what a screen reader finds on each page (docs/accessibility.md).
  expect: { timeout: 60_000, toMatchAriaSnapshot: { pathTemplate: 'test/e2e/aria/{arg}{ext}' } },
  use: { launchOptions: { executablePath: getChromium(), args: chromiumArgs } },
});
