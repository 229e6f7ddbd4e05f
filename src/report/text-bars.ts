import { terminalSafe } from '../server/delivery/letter/printable.ts';
import { formatInterval } from './intervals.ts';
import type { Report } from './make-report.ts';
import { formatChange } from './page-sections.ts';
import { formTitles, type SafeRow, type SafeTable } from './tables.ts';

interface Block {
  title: string;
  lines: string[];
}

const subjects: Record<SafeTable['subject'], string> = {
  total: '',
  months: 'by month',
  weekdays: 'by day',
  hours: 'by time of day',
  languages: 'on pages in other languages',
  delivered: 'until a mail server accepted them',
  question: '',
};

const narrowest = 30;
const widest = 100;

/** Every table as lines of text that fit the width: label, bar, number. */
export function writeBars(report: Report, columns: number): Block[] {
  const width = Math.max(narrowest, Math.min(widest, columns));
  const bars = report.tables.map((table) => ({
    title: terminalSafe(titleOf(table, report)),
    lines: table.rows.length > 0 ? linesOf(table.rows, width) : ['  too few to tell anything'],
  }));
  const answered = report.answered.map(
    ({ form, period, words }) => `  ${formTitles[form]}, ${period}: ${words}`,
  );
  return answered.length === 0
    ? bars
    : [...bars, { title: 'How soon people were answered', lines: answered }];
}

function titleOf({ subject, form, title }: SafeTable, { before }: Report): string {
  if (subject === 'question') return `${title} (beside ${before.words})`;
  if (subject === 'total') return `${formTitles[form]} (beside ${before.words})`;
  return `${formTitles[form]} ${subjects[subject]}`;
}

function linesOf(rows: readonly SafeRow[], width: number): string[] {
  const numbers = rows.map(
    (row) => `${formatInterval(row.known)}${row.change ? `  ${formatChange(row)}` : ''}`,
  );
  const numberWidth = Math.max(...numbers.map((text) => text.length));
  const most = Math.max(1, ...rows.map(({ known }) => known.most));
  const room = width - numberWidth - 5;
  const longest = Math.max(...rows.map(({ label }) => terminalSafe(label).length));
  const labelWidth = Math.max(8, Math.min(longest, Math.floor(room * 0.6)));
  const barWidth = Math.max(0, room - labelWidth);
  return rows.map(({ label, known }, n) => {
    const told = Math.round((known.least / most) * barWidth);
    const open = Math.round((known.most / most) * barWidth) - told;
    const bar = `${'█'.repeat(told)}${'░'.repeat(open)}`;
    return `  ${shorten(terminalSafe(label), labelWidth).padEnd(labelWidth)} ${bar.padEnd(barWidth)} ${numbers[n]}`.trimEnd();
  });
}

const shorten = (text: string, width: number) =>
  text.length > width ? `${text.slice(0, width - 1)}…` : text;
