import { escapeHtml } from '../../model/escape-html.ts';
import { sayWeek, type Week } from './calendar-week.ts';

export interface CountedWeek extends Week {
  requests: number;
  messages: number;
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

const kinds = [
  { key: 'requests', one: 'request', colour: '#28425b', character: '█' },
  { key: 'messages', one: 'message', colour: '#5f8fb5', character: '░' },
] as const;
type Kind = (typeof kinds)[number];

export const sayCount = (count: number, one: string): string => `${count} ${count === 1 ? one : `${one}s`}`;

const most = (weeks: readonly CountedWeek[]) =>
  Math.max(1, ...weeks.flatMap(({ requests, messages }) => [requests, messages]));

/** The last weeks as bars of table cells: mail programs drop pictures and style sheets. */
export function chartAsHtml(weeks: readonly CountedWeek[]): string {
  const top = most(weeks);
  const bar = (count: number, { colour }: Kind) =>
    count === 0
      ? ''
      : `<table role="presentation" cellpadding="0" cellspacing="0" width="${Math.max(1, Math.round((count / top) * 100))}%"><tr><td bgcolor="${colour}" style="${barStyle}">&nbsp;</td></tr></table>`;
  const row = (week: CountedWeek, kind: Kind, head: string, more: string) =>
    `<tr>${head}<td style="${styles.bar}${more}">${bar(week[kind.key], kind)}</td><td style="${styles.count}${more}">${sayCount(week[kind.key], kind.one)}</td></tr>`;
  const rows = weeks.map((week) => {
    const own = week === weeks.at(-1) ? styles.own : '';
    const head = `<th scope="rowgroup" rowspan="2" style="${styles.week}${own}">${escapeHtml(sayWeek(week, 'short'))}</th>`;
    const [requests, messages] = kinds;
    return `<tbody>${row(week, requests, head, `${styles.first}${own}`)}\n${row(week, messages, '', own)}</tbody>`;
  });
  return `<h2 style="${styles.heading}">The last weeks</h2>
<table cellpadding="0" cellspacing="0" style="${styles.chart}">
${rows.join('\n')}
</table>`;
}

export function chartAsText(weeks: readonly CountedWeek[]): string {
  const top = most(weeks);
  const labels = weeks.map((week) => sayWeek(week, 'short'));
  const width = Math.max(...labels.map((label) => label.length));
  const line = (label: string, count: number, { one, character }: Kind) => {
    const bar = character.repeat(count === 0 ? 0 : Math.max(1, Math.round((count / top) * textWidth)));
    return [label.padEnd(width), bar, sayCount(count, one)].filter((part) => part !== '').join(' ');
  };
  const rows = weeks.flatMap((week, index) =>
    kinds.map((kind, row) => line(row === 0 ? (labels[index] ?? '') : '', week[kind.key], kind)),
  );
  return ['The last weeks', '', ...rows].join('\n');
}
