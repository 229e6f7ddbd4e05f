import { defineConfig } from '@playwright/test';
import { chromiumArgs, getChromium } from './test/support/chromium.ts';

export default defineConfig({
  testDir: 'test/e2e',
  workers: 2,
  forbidOnly: true,
  retries: 0,
  reporter: 'list',
  use: { launchOptions: { executablePath: getChromium(), args: chromiumArgs } },
});
