import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runNpmScript } from './run-npm-script.ts';
import { type ReportedTest, readPlaywrightReport, readVitestReport, type TestReport } from './test-report.ts';
import { type Attempt, failedTests, isRerun, type StepResult } from './test-verdict.ts';

/** Runs npm scripts, and then runs the tests that failed once more by themselves. */

export interface Step {
  /** The npm script. */
  name: string;
  /** A step that must have succeeded, or this step is not run. */
  needs?: string;
  runner?: keyof typeof runners;
  /** Whether the step may run no test, because a browser engine is not available. */
  mayBeEmpty?: boolean;
  /** Starts when no more than so many tests of the step before are left, so that no processor waits for its last file. */
  startsWithTestsLeft?: number;
  /** Fetches what the step needs. Throws if that is not available. */
  prepare?(): void;
}

interface Runner {
  read(json: string): TestReport;
  /** `files` is the path prefix for files of this attempt, `step` the prefix for files that both attempts share. */
  args(files: string, step: string): string[];
  env(report: string): Record<string, string>;
  /** Arguments that run the failed tests, with as few others as possible, one at a time. */
  rerunArgs(failed: ReportedTest[]): string[];
  /** How many tests are left, from what the runner has printed. */
  countLeft?(printed: string): number;
}

const runners = {
  vitest: {
    read: readVitestReport,
    args: () => ['--reporter=default', `--reporter=${resolve(import.meta.dirname, 'test-report.ts')}`],
    env: (report) => ({ TEST_REPORT: report }),
    // Whole files, because the tests of a file may share a server and its state.
    rerunArgs: (failed) => [
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
    rerunArgs: () => ['--last-failed', '--workers=1'],
    countLeft(printed) {
      const all = /^Running (\d+) tests? /m.exec(printed)?.[1];
      const ended = printed.match(/^ +(?:✓|✘|ok|x|-) +\d+ /gm)?.length ?? 0;
      return all ? Number(all) - ended : Number.POSITIVE_INFINITY;
    },
  },
} satisfies Record<string, Runner>;

const unique = (values: string[]) => [...new Set(values)];

interface RunOptions {
  /** The project's folder. */
  cwd: string;
  /** For the output and the report of each attempt. Emptied first. */
  folder: string;
  write(text: string): void;
  isStopped(): boolean;
}

export async function runSteps(steps: readonly Step[], options: RunOptions): Promise<StepResult[]> {
  rmSync(options.folder, { recursive: true, force: true });
  mkdirSync(options.folder, { recursive: true });
  const results: StepResult[] = [];
  let ended = Promise.resolve();
  for (const [index, step] of steps.entries()) {
    const { name, needs, runner, mayBeEmpty = false } = step;
    if (options.isStopped()) break;
    const result: StepResult = { name, runsTests: runner !== undefined, mayBeEmpty };
    results.push(result);
    const needed = results.find((result) => result.name === needs);
    if (needed && needed.first?.exit !== 0) {
      result.notRunFor = needed.name;
      continue;
    }
    const left = steps[index + 1]?.startsWithTestsLeft ?? -1;
    const nearEnd = Promise.withResolvers<void>();
    const onLeft = (count: number) => count <= left && nearEnd.resolve();
    const first = attempt(step, 'first', [], { ...options, write: writeAfter(ended, options), onLeft });
    ended = Promise.all([first, ended]).then(([first]) => {
      result.first = first;
      nearEnd.resolve();
    });
    await nearEnd.promise;
  }
  await ended;
  for (const result of results.filter(isRerun)) {
    const step = steps.find(({ name }) => name === result.name);
    if (options.isStopped() || !step?.runner || !result.first) return results;
    const args = runners[step.runner].rerunArgs(failedTests(result.first));
    result.rerun = await attempt(step, 'again', args, options);
  }
  return results;
}

/** Output of two steps at a time is printed one after the other. */
const writeAfter =
  (ended: Promise<void>, { write }: RunOptions) =>
  (text: string) =>
    void ended.then(() => write(text));

async function attempt(
  step: Step,
  which: 'first' | 'again',
  extraArgs: string[],
  { cwd, folder, write, onLeft }: RunOptions & { onLeft?(count: number): void },
): Promise<Attempt> {
  const base = join(folder, step.name.replaceAll(':', '-'));
  const files = `${base}-${which}`;
  const report = `${files}.json`;
  const runner: Runner | undefined = step.runner && runners[step.runner];
  let printed = '';
  const print = (text: string | Buffer) => {
    printed += text;
    if (runner?.countLeft) onLeft?.(runner.countLeft(printed));
    // At once, so that the file is complete when the step has ended.
    appendFileSync(`${files}.log`, text);
    write(text.toString());
  };
  print(`\n— npm run ${step.name}${which === 'again' ? ', what failed, once more by itself' : ''}\n`);
  const startedAt = performance.now();
  try {
    step.prepare?.();
    const exit = await runNpmScript(step.name, [...(runner?.args(files, base) ?? []), ...extraArgs], {
      cwd,
      env: { ...process.env, ...runner?.env(report) },
      stdio: ['ignore', 'pipe', 'pipe'],
      onChild(child) {
        child.stdout?.on('data', print);
        child.stderr?.on('data', print);
      },
    });
    return { exit, report: runner ? readReport(runner, report) : null };
  } catch (error) {
    print(`${error instanceof Error ? error.message : error}\n`);
    return { exit: 1, report: null };
  } finally {
    print(`— npm run ${step.name} took ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  }
}

/** Null if the runner was killed or could not start: the report is missing or incomplete. */
function readReport(runner: Runner, file: string): TestReport | null {
  try {
    return runner.read(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
