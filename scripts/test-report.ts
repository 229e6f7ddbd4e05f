/** What a test runner found, in one shape for Vitest and Playwright. */

export interface ReportedTest {
  /** The file, the describes and the title; the project too, where there are several. */
  name: string;
  file: string;
  project: string;
  state: 'passed' | 'failed' | 'skipped';
}

export interface TestReport {
  tests: ReportedTest[];
  /** What went wrong outside any test: unhandled rejections, a global setup, a file that cannot be loaded. */
  errors: string[];
}

/** What Playwright's JSON reporter writes, as far as it is read here. */
interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    tests: { projectName: string; status: 'expected' | 'unexpected' | 'flaky' | 'skipped' }[];
  }[];
}

export function readPlaywrightReport(json: string): TestReport {
  const { suites, errors }: { suites: PlaywrightSuite[]; errors: { message?: string }[] } = JSON.parse(json);
  // The outermost suite is the file, which each test names already.
  const tests = suites.flatMap((suite) => readSuite({ ...suite, title: '' }, []));
  return { tests, errors: errors.map(({ message }) => message ?? 'an error without a message') };
}

function readSuite({ title, suites = [], specs = [] }: PlaywrightSuite, above: string[]): ReportedTest[] {
  const titles = title ? [...above, title] : above;
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ projectName, status }) => ({
      name: describeTest(projectName, spec.file, [...titles, spec.title]),
      file: spec.file,
      project: projectName,
      // Flaky is what a retry made green. There are no retries, and none should hide a failure.
      state:
        status === 'expected'
          ? ('passed' as const)
          : status === 'skipped'
            ? ('skipped' as const)
            : ('failed' as const),
    })),
  );
  return [...own, ...suites.flatMap((suite) => readSuite(suite, titles))];
}

export const describeTest = (project: string, file: string, titles: readonly string[]): string =>
  `${project ? `[${project}] ` : ''}${[file, ...titles].join(' › ')}`;

/** What scripts/vitest-reporter.ts has written. */
export const readVitestReport = (json: string): TestReport => JSON.parse(json);
