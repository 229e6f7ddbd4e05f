import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Builder, Capabilities, Key as Keys, type WebDriver } from 'selenium-webdriver';
import { vi } from 'vitest';
import { type Driver, desk, type EngineProcess, type Size } from './driver.ts';

/** WebKit, the engine of every iPhone, as Debian has it: WebKitGTK's small browser on a screen that nobody sees. */
export async function startWebkit([driver = '', browser = '', xvfb = '']: string[]): Promise<EngineProcess> {
  const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1400x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = await once(createInterface({ input: screen.stdio[3] as Readable }), 'line');
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const program = spawn(driver, [`--port=${port}`], {
    env: { ...process.env, DISPLAY: `:${display}` },
    stdio: 'ignore',
  });
  await untilReady(address);
  const capabilities = new Capabilities()
    .set('browserName', 'MiniBrowser')
    // A page that comes back from the cache is never reported as loaded, and every command would wait for that.
    .set('pageLoadStrategy', 'none')
    // Safari's Tab goes past links unless it is told otherwise; this one's is made to.
    .set('webkitgtk:browserOptions', {
      binary: browser,
      args: ['--automation', '--enable-tabs-to-links=false'],
    });
  return {
    async open() {
      const session = new Builder()
        .disableEnvironmentOverrides()
        .usingServer(address)
        .withCapabilities(capabilities)
        .build();
      return openWindow(await session);
    },
    async end() {
      await endProcess(program);
      await endProcess(screen);
    },
  };
}

async function openWindow(session: WebDriver): Promise<Driver> {
  const resize = async (size: Size) => {
    await session
      .manage()
      .window()
      .setRect({ x: 0, y: 0, ...size });
  };
  await session.manage().setTimeouts({ script: 5_000 });
  await resize(desk);
  return {
    goTo: (address) => session.get(address),
    reload: () => session.navigate().refresh(),
    back: () => session.navigate().back(),
    run: (what, ...args) => session.executeScript(what, ...args),
    async clickAt({ x, y }) {
      await session
        .actions()
        .move({ x: Math.round(x), y: Math.round(y), duration: 0 })
        .click()
        .perform();
    },
    type: (words) => session.actions().sendKeys(words).perform(),
    press: (key) => session.actions().sendKeys(keys[key]).perform(),
    resize,
    close: () => session.quit(),
  };
}

const keys = { Tab: Keys.TAB, Shift: Keys.SHIFT, Enter: Keys.ENTER };

/** The driver cannot pick a port itself and tell it. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function untilReady(address: string): Promise<void> {
  const ready = () => fetch(`${address}/status`).then((response) => response.ok);
  await vi.waitUntil(() => ready().catch(() => false), { timeout: 30_000, interval: 50 });
}

async function endProcess(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
