import { escapeHtml } from '../../model/escape-html.ts';
import { type FormName, formNames } from '../../model/form-field.ts';
import { serverForms } from '../../model/server-forms.ts';
import { formatWeek, type Week } from './calendar-week.ts';

export interface CountedWeek extends Week {
  counts: Record<FormName, number>;
}

/** In characters. */
const textWidth = 30;
const barStyle = 'height:12px;font-size:1px;line-height:12px;border-radius:2px';
const styles = {
  heading: 'margin:28px 0 8px;font-size:16px;line-height:1.3;color:#28425b',
  chart: 'width:100%;border-collapse:collapse',
  week: 'padding:10px 12px 0 0;width:84px;text-align:left;vertical-align:top;font-weight:normal;font-size:14px;line-height:20px;color:#52606d;white-space:nowrap',
  bar: 'padding:4px 0;vertical-align:middle',
  count:
    'padding:0 0 0 12px;width:96px;text-align:left;vertical-align:middle;font-size:14px;line-height:20px;white-space:nowrap',
  /** Space above, between two weeks. */
  first: ';padding-top:10px',
  /** The week of the letter. */
  own: ';color:#1c2733;font-weight:bold',
} as const;

type Form = (typeof serverForms)[FormName];

export const formatCount = (count: number, one: string): string =>
  `${count} ${count === 1 ? one : `${one}s`}`;

export const countAll = ({ counts }: CountedWeek): number =>
  formNames.reduce((sum, form) => sum + counts[form], 0);

/** '14 requests and 9 messages'. */
export const formatCounts = ({ counts }: CountedWeek, and: string): string =>
  formNames.map((form) => formatCount(counts[form], serverForms[form].noun)).join(and);

const most = (weeks: readonly CountedWeek[]) =>
  Math.max(1, ...weeks.flatMap(({ counts }) => formNames.map((form) => counts[form])));

/** The last weeks as bars of table cells: mail programs drop pictures and style sheets. */
export function chartAsHtml(weeks: readonly CountedWeek[]): string {
  const top = most(weeks);
  const bar = (count: number, colour: string) =>
    count === 0
      ? ''
      : `<table role="presentation" cellpadding="0" cellspacing="0" width="${Math.max(1, Math.round((count / top) * 100))}%"><tr><td bgcolor="${colour}" style="${barStyle}">&nbsp;</td></tr></table>`;
  const row = (count: number, { noun, bar: { colour } }: Form, head: string, more: string) =>
    `<tr>${head}<td style="${styles.bar}${more}">${bar(count, colour)}</td><td style="${styles.count}${more}">${formatCount(count, noun)}</td></tr>`;
  const rows = weeks.map((week) => {
    const own = week === weeks.at(-1) ? styles.own : '';
    const head = `<th scope="rowgroup" rowspan="${formNames.length}" style="${styles.week}${own}">${escapeHtml(formatWeek(week, 'short'))}</th>`;
    const ofForm = (form: FormName, index: number) => {
      const [start, above] = index === 0 ? [head, styles.first] : ['', ''];
      return row(week.counts[form], serverForms[form], start, `${above}${own}`);
    };
    return `<tbody>${formNames.map(ofForm).join('\n')}</tbody>`;
  });
  return `<h2 style="${styles.heading}">The last weeks</h2>
<table cellpadding="0" cellspacing="0" style="${styles.chart}">
${rows.join('\n')}
</table>`;
}

export function chartAsText(weeks: readonly CountedWeek[]): string {
  const top = most(weeks);
  const labels = weeks.map((week) => formatWeek(week, 'short'));
  const width = Math.max(...labels.map((label) => label.length));
  const line = (label: string, count: number, { noun, bar: { character } }: Form) => {
    const bar = character.repeat(count === 0 ? 0 : Math.max(1, Math.round((count / top) * textWidth)));
    return [label.padEnd(width), bar, formatCount(count, noun)].filter((part) => part !== '').join(' ');
  };
  const rows = weeks.flatMap((week, index) =>
    formNames.map((form, row) =>
      line(row === 0 ? (labels[index] ?? '') : '', week.counts[form], serverForms[form]),
    ),
  );
  return ['The last weeks', '', ...rows].join('\n');
}
