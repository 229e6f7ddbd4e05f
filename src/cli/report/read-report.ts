import { findQuestions, makeReport, type Report } from '../../report/make-report.ts';
import {
  firstDay,
  formatPeriod,
  isOver,
  monthsOf,
  type Quarter,
  quarterAfter,
  quarterBefore,
  quarterOf,
  quartersBetween,
  readMonth,
} from '../../report/quarters.ts';
import { BadContent, type Content, readContent } from '../../server/content/content.ts';
import { createLastGoodContent } from '../../server/content/last-good-content.ts';
import { findLosses } from '../../server/erasure/losses.ts';
import type { Settings } from '../../server/settings/settings.ts';
import { formatNzDay, nzDay } from '../../server/time/nz-time.ts';
import { UsageError } from '../command.ts';
import { remark } from '../terminal.ts';
import { withStore } from '../with-store.ts';

/** Reads the report that `awhina report` and `awhina stats` show. */

export const periodOptions = { from: { type: 'string' }, to: { type: 'string' } } as const;

export const periodUsage = `  --from 2026-07        from this month (New Zealand time); without it, from the last quarter that is over
  --to 2026-09          to the end of this month; without it, to the end of the last quarter that is over`;

interface Given {
  from?: string | undefined;
  to?: string | undefined;
}

/** Whole quarters that are over: figures of a part of one could tell of a person. */
function readQuarters({ from, to }: Given, now: Date): Quarter[] {
  const today = nzDay(now);
  const latest = quarterBefore(quarterOf(today));
  const first = from === undefined ? undefined : quarterOf(readOption('--from', from));
  const last = to === undefined ? latest : quarterOf(readOption('--to', to));
  if (from !== undefined && to !== undefined && from > to)
    throw new UsageError(`--from ${from} is after --to ${to}.`);
  for (const quarter of [last, first ?? last]) {
    if (isOver(quarter, today)) continue;
    throw new UsageError(
      `The figures of ${formatPeriod([quarter])} come when they are whole, on ${formatNzDay(new Date(firstDay(quarterAfter(quarter))))}. The last that are: --to ${monthsOf(latest)[2]}`,
    );
  }
  const quarters = quartersBetween(first ?? last, last);
  if (quarters.length > mostQuarters) throw new UsageError('A report is of ten years at most.');
  return quarters;
}

const mostQuarters = 40;

function readOption(option: string, text: string): string {
  const month = readMonth(text);
  if (!month) throw new UsageError(`${option} must be a month, such as 2026-07`);
  return month;
}

export interface ReadReport {
  report: Report;
  content: Content;
  /** What was erased unseen and nobody has confirmed. Not for a report. */
  lost: string | null;
}

export async function readReport(given: Given, now: Date): Promise<ReadReport> {
  const quarters = readQuarters(given, now);
  return withStore(async (store, settings) => {
    const content = await readWords(settings);
    // A draft is not a language that anybody could have written in.
    const languages = content.languages.flatMap(({ tag, notOffered }) => (notOffered.length > 0 ? [] : tag));
    const report = await makeReport(store, quarters, findQuestions(content.forms), languages);
    const { from, to, words } = report.period;
    if ((given.from ?? from) !== from || (given.to ?? to) !== to)
      remark(`Figures come by whole quarters, so that none tells of anybody: this is ${words}.`);
    return { report, content, lost: await findLosses(store) };
  });
}

/** Falls back to the last good content: a mistake in the content must not prevent a report. */
async function readWords({ contentDir, dataDir }: Settings): Promise<Content> {
  try {
    return await readContent(contentDir);
  } catch (error) {
    const lastGood = error instanceof BadContent ? await createLastGoodContent(dataDir).read() : null;
    if (!lastGood) throw error;
    remark(
      'There is a mistake in the content (awhina check names it), so the words are those it had before.',
    );
    return lastGood;
  }
}
