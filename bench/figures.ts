import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Draw } from '../src/report/drawing.ts';
import { findQuestions, makeReport } from '../src/report/make-report.ts';
import { writePage } from '../src/report/page.ts';
import { quartersBetween } from '../src/report/quarters.ts';
import { readContent } from '../src/server/content/content.ts';
import { addUp, countDelivered, countReceived } from '../src/server/figures/counting.ts';
import type { Count } from '../src/server/store/contract/counts.ts';
import { databasePath } from '../src/server/store/sqlite/database-file.ts';
import { openSqliteStore } from '../src/server/store/sqlite/sqlite-store.ts';
import { temporaryDataDir } from './data-dir.ts';
import { type Finding, median } from './report.ts';

/**
 * The report of three years beside a bare SELECT of all that was counted in them: in one process, in turn, with the plots' library
 * loaded, and the median of the ratios. The first report, which loads it, and whole commands are told beside it, without a bound:
 * starting Node with the content is most of those.
 */

const rounds = 15;
const requests = 100_000;
const days = 3 * 365;
const last = Date.UTC(2026, 8, 30);

/** Requests that nobody sent, spread evenly over days, hours and choices. */
function inventCounts(amount: number, questions: ReturnType<typeof findQuestions>): Count[] {
  let counts: Count[] = [];
  for (let n = 0; n < amount; n++) {
    const at = new Date(last - (n % days) * 86_400_000 - (Math.floor(n / days) % 24) * 3_600_000);
    const form = n % 3 === 0 ? 'contact' : 'help';
    const chosen = questions
      .filter((question) => question.form === form)
      .map(({ field, choices }) => ({ field, choice: choices[(n >> 2) % choices.length] ?? '' }));
    const seconds = n % 20 === 0 ? 300 : 5;
    counts.push(
      ...countReceived(form, at, chosen),
      countDelivered(form, at, new Date(at.getTime() + seconds * 1000)),
    );
    if (counts.length > 100_000) counts = addUp(counts);
  }
  return addUp(counts);
}

async function fill(path: string, amount: number): Promise<void> {
  const { forms } = await readContent('content');
  const store = await openSqliteStore(path);
  const counts = inventCounts(amount, findQuestions(forms));
  await store.mergeCounts(counts.map((count) => ({ ...count, origin: 'invented' })));
  await store.close();
}

async function timeOf(work: () => unknown): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

export async function measureReport(): Promise<Finding[]> {
  await using folder = temporaryDataDir();
  await using tenfold = temporaryDataDir();
  await fill(folder.path, requests);
  await fill(tenfold.path, 10 * requests);
  const [times, some, many] = [
    await compareTimes(folder.path),
    await runReport(folder.path),
    await runReport(tenfold.path),
  ];
  return [
    ...times,
    { name: 'report, whole command, ms', value: Math.round(some.ms) },
    { name: 'report, most memory, MB', value: some.megabytes },
    { name: 'report of ten times as many, most memory, MB', value: many.megabytes },
    { name: 'memory, ratio', value: many.megabytes / some.megabytes, atMost: 1.1 },
  ];
}

async function compareTimes(path: string): Promise<Finding[]> {
  const content = await readContent('content');
  const css = readFileSync('src/report/report.css', 'utf8');
  const store = await openSqliteStore(path);
  const db = new DatabaseSync(databasePath(path), { readOnly: true });
  const quarters = quartersBetween('2023-Q4', '2026-Q3');
  const questions = findQuestions(content.forms);
  const { organisation, otherLanguages: glossary } = content.site;
  const write = async () => {
    const plots = new URL('../dist/report/plots.js', import.meta.url);
    const { drawPlot: draw } = (await import(plots.href)) as { drawPlot: Draw };
    const report = await makeReport(store, quarters, questions);
    writePage({ report, organisation, glossary, madeAt: new Date(), draw, css });
  };
  const select = db.prepare('SELECT * FROM counts');
  try {
    const first = await timeOf(write);
    const pairs: { report: number; bare: number }[] = [];
    for (let round = 0; round < rounds; round++)
      pairs.push({ bare: await timeOf(() => select.all()), report: await timeOf(write) });
    return [
      { name: 'rows that were counted', value: select.all().length },
      { name: 'first report of three years, ms', value: Math.round(first) },
      { name: 'report of three years, ms', value: median(pairs.map(({ report }) => report)) },
      { name: 'bare SELECT of the same, ms', value: median(pairs.map(({ bare }) => bare)) },
      { name: 'report, ratio', value: median(pairs.map(({ report, bare }) => report / bare)), atMost: 3 },
    ];
  } finally {
    db.close();
    await store.close();
  }
}

/** As the command, in a process of its own. The kernel knows the most memory it ever had. */
async function runReport(path: string): Promise<{ ms: number; megabytes: number }> {
  const args = ['report', '--from', '2023-10', '--to', '2026-09', '--out', '-'];
  const watch = `process.on('exit', () => require('node:fs').writeSync(2, 'most ' + process.resourceUsage().maxRSS))`;
  const watching = `data:text/javascript,import{createRequire}from'node:module';const require=createRequire('/');${watch}`;
  const from = performance.now();
  const child = spawn(process.execPath, ['--import', watching, 'src/cli/awhina.ts', ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: path },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  for await (const chunk of child.stderr) said += chunk;
  return {
    ms: performance.now() - from,
    megabytes: Number(/most (\d+)/.exec(said)?.[1]) / 1024,
  };
}
