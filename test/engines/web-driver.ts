import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Builder, Capabilities, Key as Keys, type WebDriver } from 'selenium-webdriver';
import { vi } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { answered, answering, notAnswered } from './answering.ts';
import { type Driver, desk, type EngineProcess, type Size } from './driver.ts';

interface Driven {
  env?: Record<string, string>;
  /** Which browser it starts, under the prefix of its port of WebKit. */
  options: ['webkitgtk' | 'wpe', { binary: string; args: string[] }];
}

/**
 * A browser that is spoken to through a program of its own, over WebDriver. Each window has both to itself, so that one which
 * no longer answers takes none of the others with it.
 */
export function driveByProgram(
  program: string,
  { env, options: [prefix, options] }: Driven,
): EngineProcess['open'] {
  const capabilities = new Capabilities()
    .set('browserName', 'MiniBrowser')
    // A page that comes back from the cache is never reported as loaded, and every command would wait for that.
    .set('pageLoadStrategy', 'none')
    .set(`${prefix}:browserOptions`, options);
  return async () => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    // A group of its own, which its browser is in as well.
    const child = spawn(program, [`--port=${port}`], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
      detached: true,
    });
    const session = () =>
      new Builder().disableEnvironmentOverrides().usingServer(address).withCapabilities(capabilities).build();
    try {
      await untilReady(address);
      const opened = async () => openWindow(await session());
      const driver = answering(await answered(opened(), 'a new window'));
      return {
        ...driver,
        close: () =>
          driver
            .close()
            .catch(() => {})
            .finally(() => endGroup(child)),
      };
    } catch (error) {
      await endGroup(child);
      throw error;
    }
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
    forward: () => session.navigate().forward(),
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
    setOffline: (offline) => session.executeScript(sayOffline, offline),
    close: () => session.quit(),
  };
}

/** WebDriver cannot take the network away from WebKit. A test that needs that cuts the way to the site as well. */
function sayOffline(offline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: !offline });
  dispatchEvent(new Event(offline ? 'offline' : 'online'));
}

const keys = { Tab: Keys.TAB, Shift: Keys.SHIFT, Enter: Keys.ENTER, Escape: Keys.ESCAPE };

async function untilReady(address: string): Promise<void> {
  const ready = () => fetch(`${address}/status`).then((response) => response.ok);
  const waited = vi.waitUntil(() => ready().catch(() => false), { timeout: 60_000, interval: 50 });
  await waited.catch((cause) => {
    throw new Error(`${notAnswered}: its program`, { cause });
  });
}

export async function endProcess(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-(child.pid as number), 'SIGKILL');
  await ended;
}
