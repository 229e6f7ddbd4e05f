import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** The browsers the tests drive: the machine's own, or Playwright's, or (got when neither is there) Debian's. */

const whole = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The same engine without a window's parts: a page costs it a quarter of the work. */
const shell = 'chromium-headless-shell';

function find(commands: readonly string[]): string | null {
  for (const command of commands) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${command}`], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  const own = chromium.executablePath();
  return existsSync(own) ? own : null;
}

/** Finds one, else fetches one, else says exactly what to do. */
function get(commands: readonly string[]): string {
  const found = find(commands);
  if (found) return found;
  const ways: [string, string[]][] = [
    ['playwright', ['install', '--with-deps', 'chromium']],
    ['sh', ['-c', `apt-get update && ${install} chromium ${shell} || ${install} chromium`]],
  ];
  for (const [command, args] of ways) {
    console.log(`No Chromium here yet: trying ${command} ${args.join(' ')}`);
    try {
      execFileSync(command, args, { stdio: 'inherit' });
    } catch {
      continue;
    }
    const got = find(commands);
    if (got) return got;
  }
  throw new Error(
    'The browser tests need a Chromium, and none could be installed.\n' +
      'Install one (Debian: sudo apt-get install chromium; elsewhere: npx playwright install chromium) and run again.',
  );
}

const install = 'DEBIAN_FRONTEND=noninteractive apt-get install -y';

export const getChromium = (): string => get([shell, ...whole]);

/** For what the other has not: it keeps no page whole to come back to. */
export const getWholeChromium = (): string => get(whole);

/** Nothing that phones home, and no sandbox, which a container's root cannot have. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
