import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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
 * Drives a browser through its WebDriver program. Each window has a program and a browser of its own, so that one which
 * stops answering stops no other test.
 */
export function driveByProgram(
  program: string,
  { env, options: [prefix, options] }: Driven,
): EngineProcess['open'] {
  const capabilities = {
    browserName: 'MiniBrowser',
    // WebKit never reports a page from the back-forward cache as loaded, and every command would wait for the report.
    pageLoadStrategy: 'none',
    timeouts: { script: 5_000 },
    [`${prefix}:browserOptions`]: options,
  };
  return async () => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    // The browser joins the program's process group, so that both end together.
    const child = spawn(program, [`--port=${port}`], {
      env: { ...process.env, ...env },
      stdio: 'ignore',
      detached: true,
    });
    const open = async () => {
      const session = { capabilities: { alwaysMatch: capabilities } };
      const { sessionId } = await command<{ sessionId: string }>(`${address}/session`, session);
      return openWindow(`${address}/session/${sessionId}`);
    };
    try {
      await untilReady(address);
      const driver = answering(await answered(open(), 'a new window'));
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

/** A command of the WebDriver protocol (https://www.w3.org/TR/webdriver2/#endpoints). */
async function command<Result>(url: string, parameters: object = {}, method = 'POST'): Promise<Result> {
  const body = method === 'POST' ? JSON.stringify(parameters) : null;
  const response = await fetch(url, { method, body });
  const { value } = (await response.json()) as { value: Result & { error?: string; message?: string } };
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`);
  return value;
}

async function openWindow(session: string): Promise<Driver> {
  const send = <Result = void>(name: string, parameters?: object) =>
    command<Result>(`${session}/${name}`, parameters);
  const act = (source: object) => send('actions', { actions: [source] });
  const type = (keys: string) =>
    act({
      type: 'key',
      id: 'keyboard',
      actions: [...keys].flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
    });
  const run: Driver['run'] = (what, ...args) =>
    send('execute/sync', { script: `return (${what}).apply(null, arguments);`, args });
  const resize = (size: Size) => send('window/rect', { x: 0, y: 0, ...size });
  await resize(desk);
  return {
    goTo: (url) => send('url', { url }),
    reload: () => send('refresh'),
    back: () => send('back'),
    forward: () => send('forward'),
    run,
    clickAt: ({ x, y }) =>
      act({
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    type,
    press: (key) => type(keys[key]),
    resize,
    setOffline: (offline) => run(describeOffline, offline),
    close: () => command(session, {}, 'DELETE'),
  };
}

/** WebDriver cannot take the network away from WebKit. A test that needs that cuts the way to the site as well. */
function describeOffline(offline: boolean): void {
  Object.defineProperty(navigator, 'onLine', { configurable: true, value: !offline });
  dispatchEvent(new Event(offline ? 'offline' : 'online'));
}

/** https://www.w3.org/TR/webdriver2/#keyboard-actions */
const keys = { Tab: '\uE004', Shift: '\uE008', Enter: '\uE007', Escape: '\uE00C' };

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
