import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runNpmScript } from './run-npm-script.ts';
import { type ReportedTest, readPlaywrightReport, readVitestReport, type TestReport } from './test-report.ts';
import { type Attempt, failedTests, isRunAgain, type StepResult } from './test-verdict.ts';

/** Runs npm scripts one after the other to the end, and then, by themselves, the tests that failed. */

export interface Step {
  /** The npm script. */
  name: string;
  /** A step that has to be green before this one makes sense. */
  needs?: string;
  /** What runs its tests, if it has any. */
  runner?: keyof typeof runners;
  /** A browser engine that cannot be had here leaves a step without tests. */
  mayBeEmpty?: boolean;
  /** What has to be there first. It throws where that cannot be had. */
  prepare?(): void;
}

interface Runner {
  read(json: string): TestReport;
  /** `files` is where this attempt's files go; `step` the beginning of what both attempts share. */
  args(files: string, step: string): string[];
  env(report: string): Record<string, string>;
  /** The tests that failed, and as few others as possible, one at a time. */
  again(failed: ReportedTest[]): string[];
}

const reporter = resolve(import.meta.dirname, 'vitest-reporter.ts');
const runners = {
  vitest: {
    read: readVitestReport,
    args: () => ['--reporter=default', `--reporter=${reporter}`],
    env: (report) => ({ TEST_REPORT: report }),
    // Whole files: their tests may share a server, and what one of them left in it.
    again: (failed) => [
      '--maxWorkers=1',
      ...unique(failed.map(({ project }) => project)).flatMap((project) =>
        project ? [`--project=${project}`] : [],
      ),
      ...unique(failed.map(({ file }) => file)),
    ],
  },
  playwright: {
    read: readPlaywrightReport,
    args: (files, step) => [
      '--reporter=list,json',
      `--output=${files}`,
      `--last-failed-file=${step}-last.json`,
    ],
    env: (report) => ({ PLAYWRIGHT_JSON_OUTPUT_FILE: report }),
    again: () => ['--last-failed', '--workers=1'],
  },
} satisfies Record<string, Runner>;

const unique = (values: string[]) => [...new Set(values)];

interface Place {
  /** The project's folder. */
  cwd: string;
  /** Everything the attempts print and report is kept here. Emptied first. */
  folder: string;
  write(text: string): void;
  isStopped(): boolean;
}

export async function runSteps(steps: readonly Step[], place: Place): Promise<StepResult[]> {
  rmSync(place.folder, { recursive: true, force: true });
  mkdirSync(place.folder, { recursive: true });
  const results: StepResult[] = [];
  for (const step of steps) {
    const { name, needs, runner, mayBeEmpty = false } = step;
    if (place.isStopped()) return results;
    const result: StepResult = { name, runsTests: runner !== undefined, mayBeEmpty };
    const needed = results.find((result) => result.name === needs);
    if (needed && needed.first?.ended !== 0) result.notRunFor = needed.name;
    else result.first = await attempt(step, 'first', [], place);
    results.push(result);
  }
  for (const result of results.filter(isRunAgain)) {
    const step = steps.find(({ name }) => name === result.name);
    if (place.isStopped() || !step?.runner || !result.first) return results;
    const args = runners[step.runner].again(failedTests(result.first));
    result.again = await attempt(step, 'again', args, place);
  }
  return results;
}

async function attempt(step: Step, which: string, extra: string[], place: Place): Promise<Attempt> {
  const { cwd, folder, write } = place;
  const base = join(folder, step.name.replaceAll(':', '-'));
  const files = `${base}-${which}`;
  const report = `${files}.json`;
  const runner: Runner | undefined = step.runner && runners[step.runner];
  const log = createWriteStream(`${files}.log`);
  const print = (text: string | Buffer) => {
    log.write(text);
    write(text.toString());
  };
  print(`\n— npm run ${step.name}${which === 'again' ? ', what failed, once more by itself' : ''}\n`);
  const begun = performance.now();
  try {
    step.prepare?.();
    const ended = await runNpmScript(step.name, [...(runner?.args(files, base) ?? []), ...extra], {
      cwd,
      env: { ...process.env, ...runner?.env(report) },
      stdio: ['ignore', 'pipe', 'pipe'],
      onChild(child) {
        child.stdout?.on('data', print);
        child.stderr?.on('data', print);
      },
    });
    return { ended, report: runner ? readReport(runner, report) : null };
  } catch (error) {
    print(`${error instanceof Error ? error.message : error}\n`);
    return { ended: 1, report: null };
  } finally {
    print(`— npm run ${step.name} took ${Math.round((performance.now() - begun) / 1000)} s\n`);
    log.end();
  }
}

/** None was written, or not to its end, where the runner itself was killed or could not begin. */
function readReport(runner: Runner, file: string): TestReport | null {
  try {
    return runner.read(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
