import { describeTest, type ReportedTest, type TestReport } from './test-report.ts';

/** Tells defects from flaky tests: a test is flaky that failed, and passes when it is run again by itself. */

export interface Attempt {
  /** The exit code, or the signal that ended the runner. */
  exit: number | NodeJS.Signals;
  /** Null if the step runs no tests, or the runner wrote no report. */
  report: TestReport | null;
}

export interface StepResult {
  name: string;
  /** The failed step because of which this step was not run. */
  notRunFor?: string;
  runsTests: boolean;
  /** Whether the step may run no test, because a browser engine is not available. */
  mayBeEmpty?: boolean;
  first?: Attempt;
  rerun?: Attempt;
}

export interface Verdict {
  passed: number;
  flaky: string[];
  failed: string[];
}

/** More failures than this have a common cause, and a rerun one at a time would take too long. */
export const maxReruns = 20;

export const failedTests = ({ report }: Attempt): ReportedTest[] =>
  report?.tests.filter(({ state }) => state === 'failed') ?? [];

export const isRerun = ({ first }: StepResult): boolean => {
  const count = first ? failedTests(first).length : 0;
  return count > 0 && count <= maxReruns;
};

/** What is wrong with an attempt besides failed tests. A rerun cannot clear these problems. */
function findProblems({ exit, report }: Attempt, { runsTests, mayBeEmpty }: StepResult): string[] {
  if (!runsTests) return exit === 0 ? [] : [`ended with ${exit}`];
  if (!report) return [`ended with ${exit} and left no report`];
  const problems = report.errors.map((error) => `an error outside any test: ${error.split('\n')[0]}`);
  const isEmpty = !report.tests.some(({ state }) => state !== 'skipped');
  if (isEmpty && !mayBeEmpty && problems.length === 0) problems.push('no test was run');
  const isUnexplained = problems.length === 0 && !report.tests.some(({ state }) => state === 'failed');
  if (exit !== 0 && isUnexplained) problems.push(`ended with ${exit}, although no test failed`);
  return problems;
}

export function judgeStep(step: StepResult): Verdict {
  const { name, notRunFor, first, rerun } = step;
  if (!first)
    return { passed: 0, flaky: [], failed: [`npm run ${name}: not run, because ${notRunFor} failed`] };
  const failedFirst = failedTests(first);
  const failed = findProblems(first, step).map((problem) => `npm run ${name}: ${problem}`);
  // A rerun runs whole files, so that other tests may fail than in the first attempt.
  const failedAgain = rerun ? failedTests(rerun) : [];
  const flaky = failedFirst.filter((test) => rerun && hasPassed(test, rerun));
  failed.push(...names([...failedFirst.filter((test) => !flaky.includes(test)), ...failedAgain]));
  if (rerun) {
    const problems = findProblems(rerun, { ...step, mayBeEmpty: false });
    failed.push(...problems.map((problem) => `npm run ${name}, run again: ${problem}`));
  }
  const passed = first.report?.tests.filter(({ state }) => state === 'passed').length ?? 0;
  return { passed: passed + flaky.length, flaky: names(flaky), failed };
}

/** Whether every run of the test passed; for a file that failed as a whole, whether every test in it passed. */
function hasPassed({ name, file, project }: ReportedTest, { report }: Attempt): boolean {
  const ofFile = report?.tests.filter((test) => test.file === file && test.project === project) ?? [];
  const isWholeFile = name === describeTest(project, file, []);
  const relevant = ofFile.filter((test) => (isWholeFile ? test.state !== 'skipped' : test.name === name));
  return relevant.length > 0 && relevant.every(({ state }) => state === 'passed');
}

const names = (tests: ReportedTest[]) => [...new Set(tests.map(({ name }) => name))];

/** A line for each test file with its seconds, slowest first. */
export function listTimes(steps: StepResult[]): string[] {
  const times = steps.flatMap(({ name, first }) =>
    Object.entries(first?.report?.times ?? {}).map(([file, milliseconds]) => ({ name, file, milliseconds })),
  );
  return times
    .toSorted((a, b) => b.milliseconds - a.milliseconds)
    .map(
      ({ name, file, milliseconds }) =>
        `${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${file} (${name})`,
    );
}

/** The last lines of a run. Programs parse the very last one. */
export function summarize(steps: StepResult[], folder: string): { summary: string; isGreen: boolean } {
  const verdicts = steps.map(judgeStep);
  const flaky = verdicts.flatMap((verdict) => verdict.flaky);
  const failed = verdicts.flatMap((verdict) => verdict.failed);
  const passed = verdicts.reduce((sum, verdict) => sum + verdict.passed, 0);
  const list = (title: string, lines: string[]) =>
    lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`), ''] : [];
  const lines = [
    ...list('The ten slowest files (times.txt has all):', listTimes(steps).slice(0, 10)),
    ...list('Failed:', failed),
    ...list(
      'Flaky: failed, and passed when it was run again by itself (CONTRIBUTING.md says what to do):',
      flaky,
    ),
    ...(failed.length + flaky.length > 0 ? [`What each attempt printed is in ${folder}.`] : []),
    `${passed} passed, ${failed.length} failed`,
  ];
  return { summary: lines.join('\n'), isGreen: failed.length === 0 };
}
