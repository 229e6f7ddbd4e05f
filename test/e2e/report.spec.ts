import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import { awhina } from '../support/command.ts';
import { inventCounts } from '../support/invented-counts.ts';

const choices = {
  SupportNeeded: { 'Someone to talk to': 21, Housing: 12, Counselling: 2 },
  SafeContact: { 'Phone call': 9, 'Text message': 30 },
  ForSomeoneElse: { true: 2, false: 36 },
};

/** The report of a quarter, opened from its file in a browser that has no network. */
const test = base.extend<{ report: Page }>({
  report: async ({ browser }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'awhina-report-'));
    const store = await openSqliteStore(folder);
    await store.mergeCounts(
      inventCounts([
        { day: '2025-07-07', count: 14, choices },
        { day: '2025-08-12', count: 13, hour: 20 },
        { day: '2025-09-10', count: 11 },
        { day: '2025-09-13', form: 'contact', count: 7 },
      ]),
    );
    await store.close();
    const file = join(folder, 'report.html');
    const made = await awhina(['report', '--from', '2025-07', '--to', '2025-09', '--out', file], {
      DATA_DIR: folder,
    });
    expect(made.code).toBe(0);
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    const address = pathToFileURL(file).href;
    await page.goto(address);
    await use(page);
    expect(asked).toEqual([address]);
    // What the page may not do, its own policy would complain about.
    expect(complaints).toEqual([]);
    await context.close();
    rmSync(folder, { recursive: true });
  },
});

test.describe('the report', () => {
  test('has nothing that axe objects to, on a phone, on a desk and on paper', async ({ report }) => {
    for (const [width, media] of [
      [390, 'screen'],
      [1280, 'screen'],
      [794, 'print'],
    ] as const) {
      await report.setViewportSize({ width, height: 900 });
      await report.emulateMedia({ media });
      const { violations } = await new AxeBuilder({ page: report }).analyze();
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
      expect(await report.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    }
  });

  test('has a table for each plot that says the same, and the plot is passed by', async ({ report }) => {
    const plots = report.locator('svg');
    const count = await plots.count();
    expect(count).toBeGreaterThanOrEqual(8);
    await expect(report.locator('svg:not([aria-hidden=true])')).toHaveCount(0);
    await expect(report.getByRole('table')).toHaveCount(count);
    const kinds = report.getByRole('table', { name: 'The kind of help you need' });
    await expect(kinds.getByRole('row', { name: /Housing/ })).toContainText('12');
    await expect(kinds.getByRole('row', { name: /Counselling/ })).toContainText('fewer than 5');
    const someoneElse = report.getByRole('table', { name: 'I am asking for someone else' });
    await expect(someoneElse.getByRole('row', { name: /^No/ })).toContainText('34 to 38');
  });

  test('is printed on A4 with each plot on the page of its table', async ({ report }) => {
    await report.setViewportSize({ width: 794, height: 1123 });
    await report.emulateMedia({ media: 'print' });
    const broken = await report
      .locator('.panel')
      .evaluateAll(
        (panels) => panels.filter((panel) => getComputedStyle(panel).breakInside !== 'avoid').length,
      );
    expect(broken).toBe(0);
    const pdf = await report.pdf({ preferCSSPageSize: true, printBackground: true });
    // 210 mm by 297 mm, in points.
    expect(pdf.toString('latin1')).toMatch(/MediaBox \[0 0 59[45][.\d]* 84[12][.\d]*\]/);
  });
});
