import { describeTest, type ReportedTest, type TestReport } from './test-report.ts';

/** Tells a defect from a coincidence: a test that failed and passes when it is run again by itself is flaky. */

export interface Attempt {
  /** The exit code, or the signal that ended the runner. */
  ended: number | NodeJS.Signals;
  /** Null where the step runs no tests, or the runner wrote no report. */
  report: TestReport | null;
}

export interface StepResult {
  name: string;
  /** Where nothing was run: because of this step, which failed. */
  notRunFor?: string;
  runsTests: boolean;
  /** A browser engine that cannot be had here leaves a step without tests. */
  mayBeEmpty?: boolean;
  first?: Attempt;
  again?: Attempt;
}

export interface Verdict {
  passed: number;
  flaky: string[];
  failed: string[];
}

/** More than this is no coincidence, and by themselves, one after the other, they would take too long. */
export const mostRunAgain = 20;

export const failedTests = ({ report }: Attempt): ReportedTest[] =>
  report?.tests.filter(({ state }) => state === 'failed') ?? [];

export const isRunAgain = ({ first }: StepResult): boolean => {
  const count = first ? failedTests(first).length : 0;
  return count > 0 && count <= mostRunAgain;
};

/** What is wrong with an attempt besides the tests that failed: no second attempt settles it. */
function findTroubles({ ended, report }: Attempt, { runsTests, mayBeEmpty }: StepResult): string[] {
  if (!runsTests) return ended === 0 ? [] : [`ended with ${ended}`];
  if (!report) return [`ended with ${ended} and left no report`];
  const troubles = report.errors.map((error) => `an error outside any test: ${error.split('\n')[0]}`);
  const isEmpty = !report.tests.some(({ state }) => state !== 'skipped');
  if (isEmpty && !mayBeEmpty && troubles.length === 0) troubles.push('no test was run');
  const isUnexplained = troubles.length === 0 && !report.tests.some(({ state }) => state === 'failed');
  if (ended !== 0 && isUnexplained) troubles.push(`ended with ${ended}, although no test failed`);
  return troubles;
}

export function judgeStep(step: StepResult): Verdict {
  const { name, notRunFor, first, again } = step;
  if (!first)
    return { passed: 0, flaky: [], failed: [`npm run ${name}: not run, because ${notRunFor} failed`] };
  const red = failedTests(first);
  const failed = findTroubles(first, step).map((trouble) => `npm run ${name}: ${trouble}`);
  // The second attempt runs whole files, so that it may fail where the first has not.
  const redAgain = again ? failedTests(again) : [];
  const flaky = red.filter((test) => again && hasPassed(test, again));
  failed.push(...names([...red.filter((test) => !flaky.includes(test)), ...redAgain]));
  if (again) {
    const troubles = findTroubles(again, { ...step, mayBeEmpty: false });
    failed.push(...troubles.map((trouble) => `npm run ${name}, run again: ${trouble}`));
  }
  const green = first.report?.tests.filter(({ state }) => state === 'passed').length ?? 0;
  return { passed: green + flaky.length, flaky: names(flaky), failed };
}

/** The same test passed, and did not fail as well; of a file that failed as a whole, every test. */
function hasPassed({ name, file, project }: ReportedTest, { report }: Attempt): boolean {
  const ofFile = report?.tests.filter((test) => test.file === file && test.project === project) ?? [];
  const isWholeFile = name === describeTest(project, file, []);
  const decisive = ofFile.filter((test) => (isWholeFile ? test.state !== 'skipped' : test.name === name));
  return decisive.length > 0 && decisive.every(({ state }) => state === 'passed');
}

const names = (tests: ReportedTest[]) => [...new Set(tests.map(({ name }) => name))];

/** The last lines of a run. The very last one is read by machines too. */
export function closingWords(steps: StepResult[], folder: string): { words: string; isGreen: boolean } {
  const verdicts = steps.map(judgeStep);
  const flaky = verdicts.flatMap((verdict) => verdict.flaky);
  const failed = verdicts.flatMap((verdict) => verdict.failed);
  const passed = verdicts.reduce((sum, verdict) => sum + verdict.passed, 0);
  const list = (title: string, lines: string[]) =>
    lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`), ''] : [];
  const lines = [
    ...list('Failed:', failed),
    ...list(
      'Flaky: failed, and passed when it was run again by itself (CONTRIBUTING.md says what to do):',
      flaky,
    ),
    ...(failed.length + flaky.length > 0 ? [`What each attempt printed is in ${folder}.`] : []),
    `${passed} passed, ${failed.length} failed`,
  ];
  return { words: lines.join('\n'), isGreen: failed.length === 0 };
}
