import type { Page } from '@playwright/test';
import { expect, hydrated, menuButton, test } from './site.ts';

/** What a browser tells of a connection: saving data is asked for, or it is slow. */
const connections: Record<string, object> = {
  'Save-Data': { saveData: true, effectiveType: '4g', downlink: 10 },
  '2G': { saveData: false, effectiveType: 'slow-2g', downlink: 1.5 },
  '50 kbit/s': { saveData: false, effectiveType: '3g', downlink: 0.05 },
};

async function openOn(page: Page, connection: object): Promise<string[]> {
  await page.addInitScript((told) => {
    Object.defineProperty(Navigator.prototype, 'connection', { get: () => told });
  }, connection);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.resourceType()} ${new URL(request.url()).pathname}`));
  return asked;
}

for (const [name, connection] of Object.entries(connections))
  test(`with ${name} the home page is its words, and works without its script`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const asked = await openOn(page, connection);
    await page.goto('/');
    await page.keyboard.press('Tab');
    await menuButton(page).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.getByRole('link', { name: 'Easy words' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en-NZ-x-easy');
    await page.waitForLoadState('networkidle');
    // A cover that the browser asks for ahead of the early script is cancelled.
    await expect(page.locator('main img')).toHaveCount(0);
    expect(asked.filter((one) => /^script|\/card-/.test(one))).toEqual([]);
    // A form is the script's as ever.
    await page.locator('main a[href$="/help"]').click();
    await hydrated(page);
  });
