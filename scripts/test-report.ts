import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

/** The results of a test run, in one shape for Vitest and Playwright. */

export interface ReportedTest {
  /** The file, the describes and the title, and the project if there are several. */
  name: string;
  file: string;
  project: string;
  state: 'passed' | 'failed' | 'skipped';
}

export interface TestReport {
  tests: ReportedTest[];
  /** Errors outside any test: unhandled rejections, a failed global setup, a file that cannot be loaded. */
  errors: string[];
  /** How long each file took, in milliseconds. */
  times: Record<string, number>;
}

export const describeTest = (project: string, file: string, titles: readonly string[]): string =>
  `${project ? `[${project}] ` : ''}${[file, ...titles].join(' › ')}`;

/**
 * A reporter for Vitest, which writes the report to the file that TEST_REPORT names. Vitest's own JSON reporter leaves out
 * unhandled errors and the project.
 */
export default class VitestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const report: TestReport = {
      tests: modules.flatMap(readModule),
      errors: unhandled.map(({ message }) => message),
      times: addTimes(modules.map((module) => [nameFile(module), measure(module)])),
    };
    if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  }
}

const nameFile = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId);

function measure(module: TestModule): number {
  const { collectDuration, setupDuration, duration } = module.diagnostic();
  return collectDuration + setupDuration + duration;
}

/** One file may be run in several browsers. */
function addTimes(measured: (readonly [file: string, milliseconds: number])[]): Record<string, number> {
  const times: Record<string, number> = {};
  for (const [file, milliseconds] of measured) times[file] = (times[file] ?? 0) + milliseconds;
  return times;
}

function readModule(module: TestModule): ReportedTest[] {
  const file = nameFile(module);
  const project = module.project.name;
  const tests = [...module.children.allTests()].map((test): ReportedTest => {
    const { state } = test.result();
    const name = describeTest(project, file, [test.fullName]);
    // A test that never ended has failed.
    return { name, file, project, state: state === 'pending' ? 'failed' : state };
  });
  if (module.ok() || tests.some(({ state }) => state === 'failed')) return tests;
  // A hook failed, or the file cannot be loaded.
  return [...tests, { name: describeTest(project, file, []), file, project, state: 'failed' }];
}

export const readVitestReport = (json: string): TestReport => JSON.parse(json);

/** The part of Playwright's JSON report that is read here. */
interface PlaywrightSuite {
  title: string;
  suites?: PlaywrightSuite[];
  specs?: {
    title: string;
    file: string;
    tests: { projectName: string; status: keyof typeof states; results: { duration: number }[] }[];
  }[];
}

/** Playwright calls a test flaky that passed in a retry. The project has no retries, and none may hide a failure. */
const states = { expected: 'passed', skipped: 'skipped', unexpected: 'failed', flaky: 'failed' } as const;

export function readPlaywrightReport(json: string): TestReport {
  const { suites, errors }: { suites: PlaywrightSuite[]; errors: { message?: string }[] } = JSON.parse(json);
  // The outermost suite is the file, which is already in each test.
  const tests = suites.flatMap((suite) => readSuite({ ...suite, title: '' }, []));
  return {
    tests,
    errors: errors.map(({ message }) => message ?? 'an error without a message'),
    times: addTimes(suites.flatMap(measureSuite)),
  };
}

function measureSuite({ suites = [], specs = [] }: PlaywrightSuite): [string, number][] {
  const results = specs.flatMap(({ file, tests }) =>
    tests.flatMap(({ results }) => results.map(({ duration }): [string, number] => [file, duration])),
  );
  return [...results, ...suites.flatMap(measureSuite)];
}

function readSuite({ title, suites = [], specs = [] }: PlaywrightSuite, above: string[]): ReportedTest[] {
  const titles = title ? [...above, title] : above;
  const own = specs.flatMap((spec) =>
    spec.tests.map(({ projectName, status }) => ({
      name: describeTest(projectName, spec.file, [...titles, spec.title]),
      file: spec.file,
      project: projectName,
      state: states[status],
    })),
  );
  return [...own, ...suites.flatMap((suite) => readSuite(suite, titles))];
}
