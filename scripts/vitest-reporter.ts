import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { describeTest, type ReportedTest, type TestReport } from './test-report.ts';

/** Vitest's own JSON reporter leaves out unhandled errors and the project. The file to write is named by TEST_REPORT. */
export default class TestRunReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const report: TestReport = {
      tests: modules.flatMap(readModule),
      errors: unhandled.map(({ message }) => message),
    };
    if (process.env.TEST_REPORT) writeFileSync(process.env.TEST_REPORT, JSON.stringify(report));
  }
}

function readModule(module: TestModule): ReportedTest[] {
  const file = relative(process.cwd(), module.moduleId);
  const of = { file, project: module.project.name };
  const tests = [...module.children.allTests()].map((test): ReportedTest => {
    const { state } = test.result();
    // A test that never ended is one that failed.
    return {
      ...of,
      name: describeTest(of.project, file, [test.fullName]),
      state: state === 'pending' ? 'failed' : state,
    };
  });
  const isExplained = module.ok() || tests.some(({ state }) => state === 'failed');
  // A hook that failed, or a file that cannot be loaded.
  return isExplained
    ? tests
    : [...tests, { ...of, name: describeTest(of.project, file, []), state: 'failed' }];
}
