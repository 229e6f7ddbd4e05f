import puppeteer, { type Browser } from 'puppeteer-core';
import { type Driver, desk, type EngineProcess } from './driver.ts';

/** Firefox as it comes, spoken to over WebDriver BiDi, which it understands without a program in between. */
export async function startFirefox([executablePath = '']: string[]): Promise<EngineProcess> {
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath });
  return {
    open: () => openWindow(browser),
    end: () => browser.close(),
  };
}

async function openWindow(browser: Browser): Promise<Driver> {
  const context = await browser.createBrowserContext();
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
    run: (what, ...args) => page.evaluate(what as never, ...args) as Promise<never>,
    clickAt: ({ x, y }) => page.mouse.click(x, y),
    type: (words) => page.keyboard.type(words),
    press: (key) => page.keyboard.press(key),
    resize: (size) => page.setViewport(size),
    close: () => context.close(),
  };
}
