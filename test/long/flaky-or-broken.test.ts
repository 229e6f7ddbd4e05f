import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type ReportedTest, readPlaywrightReport } from '../../scripts/test-report.ts';
import { runSteps, type Step } from '../../scripts/test-steps.ts';
import {
  type Attempt,
  isRerun,
  listTimes,
  maxReruns,
  type StepResult,
  summarize,
} from '../../scripts/test-verdict.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** What `npm test` makes of its steps: scripts/test.ts. */

const reported = (name: string, state: ReportedTest['state'], file = 'a.test.ts'): ReportedTest => ({
  name,
  file,
  project: '',
  state,
});
const attempt = (exit: Attempt['exit'], tests: ReportedTest[], errors: string[] = []): Attempt => ({
  exit,
  report: { tests, errors, times: {} },
});
const step = (first: Attempt, rerun?: Attempt): StepResult => ({
  name: 'test:unit',
  runsTests: true,
  first,
  ...(rerun && { rerun }),
});
const summarized = (...steps: StepResult[]) => summarize(steps, 'output/');

const good = reported('good', 'passed');
const bad = reported('bad', 'failed');
const better = reported('bad', 'passed');

const settled = /^Flaky: .*:\n {2}bad\n\nWhat each attempt printed is in output\/\.\n2 passed, 0 failed$/;
const failed = /^Failed:\n {2}bad\n\n.*\n1 passed, 1 failed$/;
const file = reported('a.test.ts', 'failed');
const elsewhere = reported('b', 'passed', 'b.test.ts');

test.each<[string, boolean, RegExp, Attempt, Attempt?]>([
  ['all that is here passed', true, /^1 passed, 0 failed$/, attempt(0, [good, reported('other', 'skipped')])],
  ['what failed passed by itself', true, settled, attempt(1, [good, bad]), attempt(0, [better])],
  ['it failed twice', false, failed, attempt(1, [good, bad]), attempt(1, [bad])],
  ['it was not among those run again', false, failed, attempt(1, [good, bad]), attempt(0, [good])],
  [
    'of two with its name one failed',
    false,
    failed,
    attempt(1, [good, bad]),
    attempt(0, [good, bad, better]),
  ],
  ['it was not run again', false, failed, attempt(1, [good, bad])],
  ['a file failed as a whole, and its tests pass', true, /^Flaky/, attempt(1, [file]), attempt(0, [good])],
  ['of such a file no test ran', false, /^Failed/, attempt(1, [file]), attempt(0, [])],
  ['tests of another file ran', false, /^Failed/, attempt(1, [file]), attempt(0, [elsewhere])],
])('the verdict where %s', (_what, isGreen, words, first, again) => {
  expect(summarized(step(first, again))).toEqual({ isGreen, summary: expect.stringMatching(words) });
});

test('what no second attempt can settle is red, whatever the tests say', () => {
  const again = attempt(0, [better]);
  const red: [StepResult, RegExp][] = [
    [{ name: 'check', runsTests: false, first: { exit: 1, report: null } }, /npm run check: ended with 1/],
    [{ name: 'test:unit', runsTests: true, notRunFor: 'build' }, /test:unit: not run, because build failed/],
    [step({ exit: 'SIGKILL', report: null }), /ended with SIGKILL and left no report/],
    [step({ exit: 0, report: null }), /left no report/],
    [step(attempt(1, [good])), /ended with 1, although no test failed/],
    [step(attempt(0, [])), /no test was run/],
    [step(attempt(0, [reported('elsewhere', 'skipped')])), /no test was run/],
    [step(attempt(1, [good, bad], ['Unhandled'])), /outside any test: Unhandled/],
    [step(attempt(1, [bad], ['Unhandled']), again), /outside any test: Unhandled/],
    [step(attempt(1, [bad]), attempt(1, [better], ['Unhandled'])), /run again: an error outside/],
    [step(attempt(1, [bad]), attempt(1, [better, reported('other', 'failed')])), / {2}other/],
    [step(attempt(1, [bad]), { exit: 'SIGSEGV', report: null }), /run again: ended with SIGSEGV/],
  ];
  for (const [result, words] of red) {
    expect(summarized(result)).toEqual({ isGreen: false, summary: expect.stringMatching(words) });
    expect(summarized(result).summary).toMatch(/\n\d+ passed, [1-9]\d* failed$/);
  }
  // An engine that cannot be had here, which its configuration says.
  expect(summarized({ ...step(attempt(0, [])), mayBeEmpty: true }).isGreen).toBe(true);
});

test('failures are run again unless they are too many for a coincidence', () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => reported(`${index}`, 'failed'));
  expect([0, 1, maxReruns, maxReruns + 1].map((n) => isRerun(step(attempt(1, many(n)))))).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('Playwright’s errors outside tests, and tests that passed only in a retry, count as failures', () => {
  const spec = (title: string, status: string) => ({
    title,
    file: 'x.spec.ts',
    tests: [{ projectName: '', status, results: [{ duration: 300 }] }],
  });
  const inner = { title: 'inner', specs: [spec('two', 'unexpected'), spec('three', 'skipped')] };
  const json = {
    suites: [
      { title: 'x.spec.ts', specs: [spec('one', 'expected'), spec('four', 'flaky')], suites: [inner] },
    ],
    errors: [{ message: 'setup' }],
  };
  const { tests, errors, times } = readPlaywrightReport(JSON.stringify(json));
  expect(times).toEqual({ 'x.spec.ts': 1_200 });
  expect(errors).toEqual(['setup']);
  expect(tests.map(({ name, state }) => [name, state])).toEqual([
    ['x.spec.ts › one', 'passed'],
    ['x.spec.ts › four', 'failed'],
    ['x.spec.ts › inner › two', 'failed'],
    ['x.spec.ts › inner › three', 'skipped'],
  ]);
});

/** Tests of which one is green, one red on its first run only, and one red always. */
const tests = (from: string) => `
  import { existsSync, writeFileSync } from 'node:fs';
  import { test } from '${from}';
  test('green', () => {});
  test('once', () => {
    if (existsSync('${from.length}')) return;
    writeFileSync('${from.length}', '');
    throw new Error('by chance');
  });`;
const always = (from: string) => `
  import { test } from '${from}';
  test('always', () => { throw new Error('by nature'); });`;

/** A project with real runners and few tests, and what the steps of it came to. */
async function runSmallProject(files: Record<string, string>, steps: Step[]) {
  const cwd = temporaryFolder();
  const scripts = { check: 'exit 3', build: 'exit 0', vitest: 'vitest run', playwright: 'playwright test' };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  // Not the whole folder: Vitest notes in it how long the tests of this project take.
  for (const folder of ['test', 'node_modules']) mkdirSync(join(cwd, folder));
  for (const name of ['.bin', 'vitest', '@playwright']) {
    symlinkSync(resolve('node_modules', name), join(cwd, 'node_modules', name));
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  const folder = join(cwd, 'output');
  let printed = '';
  const write = (text: string) => {
    printed += text;
  };
  const results = await runSteps(steps, { cwd, folder, write, isStopped: () => false });
  return { ...summarize(results, folder), folder, printed, times: listTimes(results) };
}

test('Vitest goes on after a failure; what failed is run again, and both outputs are kept', async () => {
  const { summary, isGreen, folder, printed, times } = await runSmallProject(
    { 'test/a.test.ts': tests('vitest'), 'test/b.test.ts': always('vitest') },
    [{ name: 'check' }, { name: 'build', needs: 'check' }, { name: 'vitest', runner: 'vitest' }],
  );
  expect(times.map((line) => line.replace(/^ *\d+\.\d s {2}/, '')).toSorted()).toEqual([
    'test/a.test.ts (vitest)',
    'test/b.test.ts (vitest)',
  ]);
  expect(summary).toMatch(/^The ten slowest files .*:\n {2} *\d+\.\d s {2}test\//);
  expect([isGreen, summary.split('\n').slice(4, 12)]).toEqual([
    false,
    [
      'Failed:',
      '  npm run check: ended with 3',
      '  npm run build: not run, because check failed',
      '  test/b.test.ts › always',
      '',
      expect.stringMatching(/^Flaky: /),
      '  test/a.test.ts › once',
      '',
    ],
  ]);
  expect(summary).toMatch(/\n2 passed, 3 failed$/);
  const [first, again] = ['first', 'again'].map((name) =>
    readFileSync(join(folder, `vitest-${name}.log`), 'utf8'),
  );
  expect(first).toContain('by chance');
  expect(again).toContain('by nature');
  expect(again).not.toContain('by chance');
  expect(printed).toContain(first);
});

test('a step may start at the end of the one before, and what it prints comes after', async () => {
  const slow = `import { test } from '@playwright/test';
    import { existsSync } from 'node:fs';
    test('quick', () => {});
    test('last', async () => { while (!existsSync('beside')) await new Promise(setImmediate); });`;
  const { isGreen, printed } = await runSmallProject(
    {
      'test/a.spec.ts': slow,
      'test/b.test.ts': `import { writeFileSync } from 'node:fs';
        import { test } from 'vitest';
        test('beside', () => writeFileSync('beside', ''));`,
      'playwright.config.ts': 'export default { testDir: "test", testMatch: "*.spec.ts" };',
      'vitest.config.ts': 'export default { test: { include: ["test/*.test.ts"] } };',
    },
    [
      { name: 'playwright', runner: 'playwright' },
      { name: 'vitest', runner: 'vitest', startsWithTestsLeft: 1 },
    ],
  );
  expect([isGreen, printed]).toEqual([true, expect.stringMatching(/playwright took[\s\S]*npm run vitest\n/)]);
});

test('Playwright goes on after a failure too, and a test that passes the second time leaves the run green', async () => {
  const { summary, isGreen, folder } = await runSmallProject(
    {
      'test/a.spec.ts': tests('@playwright/test'),
      'playwright.config.ts': 'export default { testDir: "test" };',
    },
    [{ name: 'playwright', runner: 'playwright' }],
  );
  expect([isGreen, summary]).toEqual([
    true,
    expect.stringMatching(/\n {2}a\.spec\.ts › once\n\n.*\n2 passed, 0 failed$/),
  ]);
  expect(readFileSync(join(folder, 'playwright-first.log'), 'utf8')).toContain('by chance');
  expect(readFileSync(join(folder, 'playwright-again.log'), 'utf8')).toContain('1 passed');
  expect(existsSync(join(folder, 'playwright-first'))).toBe(true);
});
