import { endLike } from '../bin/run-program.cjs';
import { getChromium, getWholeChromium } from '../test/support/chromium.ts';
import { needStrace } from '../test/support/file-operations.ts';
import { runSteps, type Step } from './test-steps.ts';
import { closingWords } from './test-verdict.ts';

/** Every check there is, the quick ones first. One that fails does not keep the others from running (docs/decisions/0090). */
const steps: Step[] = [
  { name: 'check' },
  { name: 'build' },
  { name: 'test:unit', needs: 'build', runner: 'vitest', prepare: getPrograms },
  { name: 'test:browser', needs: 'build', runner: 'playwright' },
  { name: 'test:engines', needs: 'build', runner: 'vitest', mayBeEmpty: true },
];

/** Fetched where they are missing before any test waits for them: under a test's time limit a slow line would be a failure. */
function getPrograms(): void {
  getChromium();
  getWholeChromium();
  if (process.platform === 'linux') needStrace();
}

const folder = 'test-results/npm-test';
let stoppedBy: NodeJS.Signals | undefined;
const stop = (signal: NodeJS.Signals) => {
  stoppedBy = signal;
};
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
for (const signal of signals) process.on(signal, stop);

const results = await runSteps(steps, {
  cwd: process.cwd(),
  folder,
  write: (text) => process.stdout.write(text),
  isStopped: () => stoppedBy !== undefined,
});
for (const signal of signals) process.off(signal, stop);
if (stoppedBy) {
  console.log(`\nStopped by ${stoppedBy}.`);
  endLike(stoppedBy);
} else {
  const { words, isGreen } = closingWords(results, folder);
  console.log(`\n${words}`);
  // A process that a test left behind may hold a pipe open.
  process.exit(isGreen ? 0 : 1);
}
