import puppeteer, { type BrowserContext } from 'puppeteer-core';
import { type Driver, desk, type EngineProcess } from './driver.ts';

/** Two that start at once on a busy machine took 26 of the 30 s that they have by themselves. */
const launchMs = 240_000;

/** Firefox as it comes, spoken to over WebDriver BiDi, which it understands without a program in between. */
export async function startFirefox([executablePath = '']: string[]): Promise<EngineProcess> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath, timeout: launchMs });
  return {
    async open() {
      const context = await browser.createBrowserContext();
      return openWindow(context, () => context.close());
    },
    end: () => browser.close(),
  };
}

/** One whose windows are tabs of one visit, of which it writes down in the profile what it would bring back. */
export async function startRecordingFirefox(
  [executablePath = '']: string[],
  profile: string,
): Promise<EngineProcess> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath,
    timeout: launchMs,
    userDataDir: profile,
    // In ms. By itself it waits for 15 s.
    extraPrefsFirefox: {
      'browser.sessionstore.interval': 100,
      'browser.sessionstore.resume_from_crash': true,
    },
  });
  return {
    open: () => openWindow(browser.defaultBrowserContext(), async () => {}),
    end: () => browser.close(),
  };
}

async function openWindow(context: BrowserContext, close: () => Promise<void>): Promise<Driver> {
  const page = await context.newPage();
  await page.setViewport(desk);
  // None of them can be had without waiting, and Firefox never reports a page from its cache as loaded.
  const unawaited = async (navigation: Promise<unknown>) => {
    navigation.catch(() => {});
  };
  return {
    goTo: (address) => unawaited(page.goto(address)),
    reload: () => unawaited(page.reload()),
    back: () => unawaited(page.goBack()),
    forward: () => unawaited(page.goForward()),
    run: (what, ...args) => page.evaluate(what as never, ...args) as Promise<never>,
    clickAt: ({ x, y }) => page.mouse.click(x, y),
    type: (words) => page.keyboard.type(words),
    press: (key) => page.keyboard.press(key),
    resize: (size) => page.setViewport(size),
    setOffline: (offline) => page.setOfflineMode(offline),
    close,
  };
}
