import { spawnSync } from 'node:child_process';
import { getChromium, getWholeChromium } from '../test/support/chromium.ts';
import { needStrace } from '../test/support/file-operations.ts';

/** Every check there is, the quick ones first; the first that fails ends the run. */
const steps = ['check', 'build', 'test:unit', 'test:browser', 'test:engines'];

for (const step of steps) {
  console.log(`\n— npm run ${step}`);
  // Fetched where it is missing before any test waits for it: under a test's time limit a slow line would be a failure.
  if (step === 'test:unit') {
    getChromium();
    getWholeChromium();
    if (process.platform === 'linux') needStrace();
  }
  const { status } = spawnSync('npm', ['run', '--silent', step], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
