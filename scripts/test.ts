import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitLike } from '../bin/run-program.cjs';
import { getChromium, getWholeChromium } from '../test/support/chromium.ts';
import { needStrace } from '../test/support/file-operations.ts';
import { runSteps, type Step } from './test-steps.ts';
import { listTimes, summarize } from './test-verdict.ts';

/** `npm test`: every check, the quick ones first. All are run, even if one fails (docs/decisions/0090). */
const steps: Step[] = [
  { name: 'check' },
  { name: 'build' },
  { name: 'test:unit', needs: 'build', runner: 'vitest', prepare: fetchPrograms },
  { name: 'test:browser', needs: 'build', runner: 'playwright' },
  {
    name: 'test:engines',
    needs: 'build',
    runner: 'vitest',
    mayBeEmpty: true,
    startsWithTestsLeft: 60,
  },
];

/** Fetches missing programs before any test needs them: with a slow network a test would exceed its time limit. */
function fetchPrograms(): void {
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
  exitLike(stoppedBy);
} else {
  writeFileSync(join(folder, 'times.txt'), `${listTimes(results).join('\n')}\n`);
  const { summary, isGreen } = summarize(results, folder);
  console.log(`\n${summary}`);
  // exit() and not exitCode: a process that a test left behind may hold a pipe open.
  process.exit(isGreen ? 0 : 1);
}
