import { escapeHtml } from '../model/escape-html.ts';
import { formNames } from '../model/form-field.ts';
import { mapValues } from '../model/map-values.ts';
import { asText, type Glossary, type Phrase, spans } from '../model/phrase.ts';
import { serverForms } from '../model/server-forms.ts';
import { defaultColours, type Theme, themeCss } from '../server/content/theme.ts';
import { hashSource } from '../server/pages/content-policy.ts';
import { standalonePage } from '../server/pages/standalone-page.ts';
import { formatNzTime } from '../server/time/nz-time.ts';
import { formatInterval, type Interval, isExact, smallestShown } from './intervals.ts';
import type { Report } from './make-report.ts';
import { sectionHtml, spansHtml } from './page-sections.ts';
import { formTitles, type SafeRow, type SafeTable } from './tables.ts';

interface PageParts {
  report: Report;
  organisation: Phrase;
  glossary: Glossary;
  theme?: Theme | undefined;
  madeAt: Date;
  /** The style sheet, src/report/report.css. */
  css: string;
}

/** One page with everything in it, to be opened from a file, forwarded and printed: it fetches nothing and runs nothing. */
export function writePage({ report, organisation, glossary, theme, madeAt, css }: PageParts): string {
  const styles = `${css}${themeCss(theme)}`;
  const name = spansHtml(spans(organisation, glossary));
  const { period, before } = report;
  const colours = mapValues(
    serverForms,
    ({ bar }) => theme?.[bar.themeColour] ?? defaultColours[bar.themeColour],
  );
  const section = (title: string, intro: string, ...subjects: SafeTable['subject'][]) =>
    sectionHtml({ title, intro, subjects, report, colours, glossary });
  const body = `<header>
<p class="name">${name}</p>
<h1>How people reached out to us</h1>
<p class="period">${escapeHtml(period.words)}</p>
</header>
<main>
${headlines(report)}
${section('Month by month', '', 'months')}
<section class="reading">
<h2>How to read this</h2>
<p>These are requests and messages that came through our website, not people: somebody may have written twice. What was written
in them is not part of this report, and they are erased after a while; the numbers stay.</p>
<p><strong>Small numbers are not shown.</strong> In a small town they can point to somebody. Every number below ${smallestShown}, zero included,
is “fewer than ${smallestShown}”. Where it could be worked out from a total, the number beside it is a range as well (“10 to 14”), or the two are
added up in one row; the paler end of a bar is the range. Where not even that would be safe, no number is shown.</p>
<p>Each quarter is made safe by itself, once it is over, and every report is made of whole quarters. So two reports side by side show no
more than each of them.</p>
</section>
${section('On which days', 'The day they were sent, in New Zealand.', 'weekdays')}
${section('At what time of day', 'People can use a website at any hour, also when nobody answers the phone.', 'hours')}
${section('What people told us', `The answers to the questions we count. “Before” is ${escapeHtml(before.words)}.`, 'question')}
${section('In other languages', 'Our website can be read in other languages, too. So many were written on those pages.', 'languages')}
${section('How soon the mail was accepted', 'From the moment a form was sent until a mail server accepted its mail.', 'delivered')}
${answeredSection(report)}
</main>
<footer><p>Made on ${escapeHtml(formatNzTime(madeAt))} for ${name}.</p></footer>`;
  return standalonePage({
    title: `${asText(organisation)}: ${period.words}`,
    policy: `default-src 'none'; style-src ${hashSource(styles)}`,
    css: styles,
    body,
  });
}

/** Not drawn: two sentences a quarter. */
function answeredSection({ answered }: Report): string {
  if (answered.length === 0) return '';
  const lines = answered.map(
    ({ form, period, words }) =>
      `<p><strong>${formTitles[form]}</strong>, ${escapeHtml(period)}: ${escapeHtml(words)}.</p>`,
  );
  return `<section>
<h2>How soon people were answered</h2>
<p>From the moment a form was sent until we had answered, of those that we answered in these months. The times are rounded up, and
nothing is said of a quarter in which too few were answered.</p>
${lines.join('\n')}
</section>`;
}

const findRow = (report: Report, form: string, subject: SafeTable['subject']): SafeRow | undefined =>
  report.tables.find((table) => table.form === form && table.subject === subject)?.rows[0];

function headlines(report: Report): string {
  const share = shareInAMinute(report);
  const tiles = [
    ...formNames.map((form) => {
      const row = findRow(report, form, 'total');
      return (
        row &&
        tile(formatInterval(row.known), serverForms[form].plural, formatTrend(row, report.before.words))
      );
    }),
    share && tile(share, 'of all mail with us within a minute', ''),
  ];
  return `<ul class="headlines" role="list">\n${tiles.filter(Boolean).join('\n')}\n</ul>`;
}

const tile = (figure: string, words: string, more: string) =>
  `<li><strong${figure.length > 8 ? ' class="long"' : ''}>${escapeHtml(figure)}</strong> <span>${escapeHtml(words)}</span>${more ? ` <small>${escapeHtml(more)}</small>` : ''}</li>`;

function formatTrend({ change, before }: SafeRow, words: string): string {
  if (change === undefined || change === null || !before) return '';
  if (change === 0) return `as many as in ${words}`;
  return `${Math.abs(change)} ${change > 0 ? 'more' : 'fewer'} than in ${words}`;
}

/** From the published bounds alone, and rounded down: it promises no more than is known. */
function shareInAMinute(report: Report): string | null {
  const tables = report.tables.filter(({ subject }) => subject === 'delivered');
  const first = tables.flatMap(({ rows }) => rows.slice(0, 1));
  const all = tables.flatMap(({ rows }) => rows);
  const sum = (rows: readonly SafeRow[], end: keyof Interval) =>
    rows.reduce((n, { known }) => n + known[end], 0);
  const least = sum(first, 'least');
  const rest = sum(all, 'most') - sum(first, 'most');
  if (first.length === 0 || least === 0) return null;
  const share = Math.floor((100 * least) / (least + rest));
  return `${all.every(({ known }) => isExact(known)) ? '' : 'at least '}${share} %`;
}
