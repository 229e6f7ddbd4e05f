import { escapeHtml } from '../model/escape-html.ts';
import type { FormName } from '../model/form-field.ts';
import { type Glossary, markWords, type Span } from '../model/phrase.ts';
import { printable } from '../server/delivery/letter/printable.ts';
import { formatInterval, type Interval } from './intervals.ts';
import type { Report } from './make-report.ts';
import { drawPlot } from './plots.ts';
import { formTitles, type SafeRow, type SafeTable } from './tables.ts';

interface SectionParts {
  title: string;
  intro: string;
  subjects: readonly SafeTable['subject'][];
  report: Report;
  colours: Record<FormName, string>;
  glossary: Glossary;
}

const ink = '#1f2d3a';

/** The plots of one subject, each with a table of the same numbers. */
export function sectionHtml(parts: SectionParts): string {
  const { title, intro, subjects, report } = parts;
  const tables = report.tables.filter(({ subject }) => subjects.includes(subject));
  if (tables.length === 0) return '';
  // One scale for all plots; questions are not comparable.
  const most = Math.max(...tables.flatMap(({ rows }) => rows.map(({ known }) => known.most)));
  const panels = tables.map((table) =>
    panelHtml(table, table.subject === 'question' ? highestIn(table) : most, parts),
  );
  return `<section>
<h2>${escapeHtml(title)}</h2>
${intro ? `<p>${intro}</p>\n` : ''}<div class="panels ${tables[0]?.subject}">
${panels.join('\n')}
</div>
</section>`;
}

const highestIn = ({ rows }: SafeTable) => Math.max(...rows.map(({ known }) => known.most));

function panelHtml(table: SafeTable, most: number, { colours, glossary }: SectionParts): string {
  const isQuestion = table.subject === 'question';
  const words = wordsHtml(isQuestion ? table.title : formTitles[table.form], glossary);
  if (table.rows.length === 0) {
    return `<div class="panel"><h3>${words}</h3><p class="none">Too few to tell anything without telling of somebody.</p></div>`;
  }
  const bars = table.rows.map(({ label, known, cells }) => ({
    label: table.subject === 'months' ? shortMonths(cells) : printable(label),
    ...known,
    value: formatShort(known),
  }));
  const svg = drawPlot({ bars, colour: colours[table.form], ink, upright: table.subject === 'months', most });
  const several = table.several ? '<p class="several">People could choose several.</p>' : '';
  return `<div class="panel">
<h3>${words}</h3>${several}
<div class="pair">
<div class="drawing">${svg}</div>
${tableHtml(table, words, glossary)}
</div>
</div>`;
}

const heads: Record<SafeTable['subject'], string> = {
  total: '',
  months: 'Month',
  weekdays: 'Day',
  hours: 'Time',
  languages: 'Language',
  delivered: 'Accepted',
  question: 'Answer',
};

function tableHtml(table: SafeTable, caption: string, glossary: Glossary): string {
  const compares = table.rows.some((row) => row.before);
  const rows = table.rows.map(
    (row) =>
      `<tr><th scope="row">${wordsHtml(row.label, glossary)}</th><td>${formatInterval(row.known)}</td>${compares ? `<td>${row.before ? formatInterval(row.before) : 'not shown'}</td><td>${formatChange(row)}</td>` : ''}</tr>`,
  );
  return `<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">${heads[table.subject]}</th><th scope="col">Number</th>${compares ? `<th scope="col">Before</th><th scope="col">Change</th>` : ''}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

/** A percentage of fewer would look more exact than it is. */
const leastForPercent = 20;

export function formatChange({ change, before }: SafeRow): string {
  if (change === undefined || change === null || !before) return '–';
  if (change === 0) return 'none';
  const sign = change > 0 ? '+' : '−';
  const number = `${sign}${Math.abs(change)}`;
  return before.least < leastForPercent
    ? number
    : `${number} (${sign}${Math.round((100 * Math.abs(change)) / before.least)} %)`;
}

function formatShort({ least, most }: Interval): string {
  if (least === most) return String(least);
  return least === 0 ? `<${most + 1}` : `${least}–${most}`;
}

const short = new Intl.DateTimeFormat('en-NZ', { month: 'short', timeZone: 'UTC' });

/** 'Jul'; several months on two lines, because a column is narrow. The table has the year. */
function shortMonths(cells: readonly string[]): string {
  const [first, last] = [cells[0], cells.at(-1)].map((cell) =>
    short.format(new Date(`${cell}-01T00:00:00Z`)),
  );
  return first === last ? `${first}` : `${first}–\n${last}`;
}

/** Words of the trust, with the language marked of words in another one. */
const wordsHtml = (text: string, glossary: Glossary): string =>
  spansHtml(markWords(printable(text), glossary));

export const spansHtml = (spans: readonly Span[]): string =>
  spans
    .map(({ text, lang }) =>
      lang ? `<span lang="${escapeHtml(lang)}">${escapeHtml(text)}</span>` : escapeHtml(text),
    )
    .join('');
