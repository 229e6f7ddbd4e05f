import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

/** The browsers of the tests: the machine's own, or Playwright's, or else Debian's, which is then fetched. */

const whole = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** The headless shell: the same engine without a window, for a quarter of the work a page. */
const shell = 'chromium-headless-shell';

function find(commands: readonly string[]): string | null {
  for (const command of commands) {
    const { status, stdout } = spawnSync('sh', ['-c', `command -v ${command}`], { encoding: 'utf8' });
    if (status === 0) return stdout.trim();
  }
  const own = chromium.executablePath();
  return existsSync(own) ? own : null;
}

/** Finds a browser, else fetches one, else throws with what to do. */
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

/** For the back-forward cache and the profile on disk, which the headless shell lacks. */
export const getWholeChromium = (): string => get(whole);

/** No requests of Chromium's own, and no sandbox, because root in a container cannot have one. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
