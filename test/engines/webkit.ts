import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { EngineProcess } from './driver.ts';
import { driveByProgram, endProcess } from './web-driver.ts';

/** WebKit, the engine of every iPhone, as Debian has it: WebKitGTK's small browser on a screen that nobody sees. */
export async function startWebkit([driver = '', browser = '', xvfb = '']: string[]): Promise<EngineProcess> {
  const screen = spawn(xvfb, ['-displayfd', '3', '-screen', '0', '1400x1200x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const [display] = await once(createInterface({ input: screen.stdio[3] as Readable }), 'line');
  const open = driveByProgram(driver, {
    env: { DISPLAY: `:${display}` },
    // Safari's Tab goes past links unless it is told otherwise; this one's is made to.
    options: ['webkitgtk', { binary: browser, args: ['--automation', '--enable-tabs-to-links=false'] }],
  });
  return { open, end: () => endProcess(screen) };
}

/** WebKit of the age of Safari 16.0, which draws without a screen. */
export async function startOldWebkit([driver = '', browser = '']: string[]): Promise<EngineProcess> {
  const open = driveByProgram(driver, {
    options: ['wpe', { binary: browser, args: ['--automation', '--headless'] }],
  });
  return { open, end: async () => {} };
}
