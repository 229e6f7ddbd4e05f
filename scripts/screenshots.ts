import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { createSubmissionMail } from '../src/server/delivery/letter/submission-mail.ts';
import { createStaffKeys } from '../src/server/staff/staff-key.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { nzDay } from '../src/server/time/nz-time.ts';
import { fillContact, fillHelp, send, textbox } from '../test/e2e/forms.ts';
import { hydrated, menuButton } from '../test/e2e/site.ts';
import { chromiumArgs, getChromium } from '../test/support/chromium.ts';
import { shippedContent } from '../test/support/forms.ts';
import { writePseudoLanguage } from '../test/support/pseudo-language.ts';
import { startSite } from '../test/support/site-server.ts';
import { addresses, storeSubmission } from '../test/support/stored-submissions.ts';
import { testSecret } from '../test/support/tokens.ts';

/** `npm run screenshots`: every page in every state that a visitor can meet, at three widths, in docs/screenshots/. */

const folder = new URL('../docs/screenshots/', import.meta.url).pathname;
const windows = [
  { width: 390, height: 844 },
  { width: 768, height: 1024 },
  { width: 1280, height: 900 },
] as const;

interface State {
  name: string;
  path: string;
  /** Brings the page into the state. */
  act?: (page: Page) => Promise<void>;
  /** The visible part instead of the whole page. */
  windowOnly?: boolean;
  narrowOnly?: boolean;
}

const holdRequests = (page: Page) => page.route('**/graphql', () => new Promise(() => {}));
const failRequests = (page: Page) =>
  page.route('**/graphql', (route) => route.fulfill({ json: { data: null, errors: [{ message: 'No' }] } }));

const states: State[] = [
  { name: 'home', path: '/' },
  {
    name: 'drawer',
    path: '/',
    narrowOnly: true,
    windowOnly: true,
    act: (page) => menuButton(page).click(),
  },
  { name: 'help', path: '/help' },
  {
    name: 'help-invalid',
    path: '/help',
    windowOnly: true,
    async act(page) {
      await textbox(page, 'First name').focus();
      await textbox(page, 'Last name').focus();
      await page.getByRole('alert').waitFor();
    },
  },
  { name: 'help-filled', path: '/help', act: fillHelp },
  { name: 'contact', path: '/contact' },
  {
    name: 'contact-sending',
    path: '/contact',
    async act(page) {
      await holdRequests(page);
      await fillContact(page);
      await send(page).click();
      await page.getByRole('button', { name: 'Sending' }).waitFor();
    },
  },
  {
    name: 'contact-sent',
    path: '/contact',
    async act(page) {
      await fillContact(page);
      await send(page).click();
      await page.getByRole('button', { name: 'Make Another Submission' }).waitFor();
    },
  },
  {
    name: 'contact-failed',
    path: '/contact',
    async act(page) {
      await failRequests(page);
      await fillContact(page);
      await send(page).click();
      await page.locator('section#contact:focus').waitFor();
    },
  },
  { name: 'easy-words-home', path: '/en-nz-x-easy' },
  { name: 'easy-words-help', path: '/en-nz-x-easy/help' },
  { name: 'mirrored-home', path: '/ar-xb' },
  { name: 'mirrored-help', path: '/ar-xb/help' },
];

async function takeScreenshot(
  browser: Browser,
  url: string,
  state: State,
  window: (typeof windows)[number],
): Promise<void> {
  const context = await browser.newContext({ baseURL: url, viewport: window, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(state.path);
  await hydrated(page);
  await state.act?.(page);
  if (!state.windowOnly) {
    // The window becomes as high as the page, so that fixed elements are at its edges.
    await page.evaluate(() => scrollTo(0, 0));
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width: window.width, height: Math.max(height, window.height) });
  }
  await page.waitForLoadState('networkidle');
  const png = await page.screenshot();
  const path = join(folder, `${state.name}-${window.width}.webp`);
  await sharp(png).webp({ quality: 40, effort: 6 }).toFile(path);
  await context.close();
}

/** The upper part of the report about a quarter of the sample year. */
async function takeReport(browser: Browser): Promise<void> {
  const temporary = await mkdtemp(join(tmpdir(), 'awhina-report-'));
  try {
    const [data, file] = [join(temporary, 'data'), join(temporary, 'report.html')];
    const run = (...args: string[]) =>
      execFileSync(process.execPath, args, {
        env: { PATH: process.env.PATH, DATA_DIR: data },
        stdio: 'pipe',
      });
    run('scripts/sample-year.ts', data, '--until', '2026-11-15');
    run('src/cli/awhina.ts', 'report', '--from', '2026-07', '--to', '2026-09', '--out', file);
    const page = await browser.newPage({ viewport: { width: 1000, height: 1900 } });
    await page.goto(pathToFileURL(file).href);
    await sharp(await page.screenshot())
      .webp({ quality: 60, effort: 6 })
      .toFile(join(folder, 'report.webp'));
    await page.close();
  } finally {
    await rm(temporary, { recursive: true });
  }
}

/** An urgent request as staff get it, and the page behind its link: open, with a mistake, taken and answered. */
async function takeStaff(browser: Browser): Promise<void> {
  const site = await startSite({ env: { BOT_CHECK_SECRET: testSecret } });
  try {
    const store = await openSqliteStore(site.dataDir);
    const reference = await storeSubmission(store, {
      receivedAt: new Date('2026-11-15T02:10:49Z'),
      urgent: true,
      answers: { SupportNeeded: ['Feeling unsafe at home'], SafeContact: ['Phone call'] },
    });
    const submission = await store.findSubmission(reference);
    if (!submission) throw new Error(`${reference} is not stored`);
    const path = createStaffKeys(testSecret).pathFor(reference);
    const letter = createStaffKeys(testSecret).pathForLetter({ day: nzDay(new Date()), form: 'help' });
    const link = () => `https://www.trust.example${path}`;
    const { html } = createSubmissionMail(submission, shippedContent.site, addresses, new Date(), link);
    for (const { width, height } of windows.filter((window) => window.width !== 768)) {
      const page = await browser.newPage({ viewport: { width, height } });
      const take = async (name: string) =>
        sharp(await page.screenshot({ fullPage: true }))
          .webp({ quality: 40, effort: 6 })
          .toFile(join(folder, `${name}-${width}.webp`));
      const press = (name: string) => page.getByRole('button', { name }).click();
      await page.setContent(html);
      await take('mail');
      await page.goto(site.url + path);
      await take('staff-open');
      await press('I’ll take this');
      await take('staff-invalid');
      await page.getByRole('textbox').fill('AB');
      await press('I’ll take this');
      await take('staff-taken');
      await page.getByRole('textbox').fill('CD');
      await press('I’ve answered');
      await take('staff-answered');
      await page.goto(site.url + letter);
      await take('staff-letter');
      for (const undone of ['answered', 'taken'] as const)
        await store.undoStep(reference, undone, new Date());
      await page.close();
    }
    await store.close();
  } finally {
    await site.stop();
  }
}

const only = process.argv[2];
const site = await startSite();
/** With a language that is written from right to left, made from the original. */
const mirrored = await startSite({ prepare: (contentDir) => writePseudoLanguage(contentDir, 'ar-XB') });
const browser = await chromium.launch({ executablePath: getChromium(), args: chromiumArgs });
try {
  if (!only) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const state of states.filter(({ name }) => !only || name.startsWith(only))) {
    const shown = windows.filter(({ width }) => !state.narrowOnly || width < 960);
    const { url } = state.name.startsWith('mirrored') ? mirrored : site;
    await Promise.all(shown.map((window) => takeScreenshot(browser, url, state, window)));
    console.log(state.name);
  }
  if (!only || only === 'report') {
    await takeReport(browser);
    console.log('report');
  }
  if (!only || only === 'staff') {
    await takeStaff(browser);
    console.log('staff');
  }
} finally {
  await browser.close();
  await Promise.all([site.stop(), mirrored.stop()]);
}
