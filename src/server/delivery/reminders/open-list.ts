import { escapeHtml } from '../../../model/escape-html.ts';
import type { Letter } from '../letter/letter.ts';
import { inPrint } from '../letter/letter-html.ts';

/** Open submissions below the title of a letter. Mail programs drop style sheets, so each element has its styles. */

/** Submissions named in one mail: more would not be read. */
export const mostNamed = 40;
/** Submissions of which a mail has only the reference and the link. With these it has 80 kB, or 100 where all are erased soon. */
export const mostBare = 180;

const styles = {
  item: 'margin:16px 0 0;padding:12px 16px;background:#f4f6f8;border-left:4px solid #52606d',
  urgentItem: 'margin:16px 0 0;padding:12px 16px;background:#f4f6f8;border-left:4px solid #b45309',
  name: 'margin:0;color:#28425b',
  reference: 'font-size:18px',
  urgent:
    'padding:2px 8px;background:#ffd23f;color:#1c2733;border-radius:4px;font-size:14px;font-weight:bold',
  stop: `margin:4px 0;padding:4px 12px;background:#b3141d;color:#ffffff;font-weight:bold;${inPrint}`,
  line: 'margin:0',
  warning: 'margin:4px 0;padding:2px 12px;background:#ffe1a8;color:#3d2600;font-weight:bold',
  action: 'margin:8px 0 4px',
  link: 'color:#1b4f82;font-weight:bold',
  bare: 'margin:4px 0 0;line-height:1.9',
  rest: 'margin:16px 0 0;font-weight:bold',
  closing: 'margin:28px 0 0;padding:16px 0 0;border-top:1px solid #d5dce3;font-size:14px;color:#52606d',
} as const;

const stop = 'DO NOT CONTACT THIS PERSON.';

/** What a reminder says of one open submission: nothing of its words. */
export interface OpenItem {
  reference: string;
  form: string;
  urgent: boolean;
  isRefused: boolean;
  /** Sentences, the first about how long the person has waited. */
  lines: readonly string[];
  /** What ends soon, marked. */
  warning?: string | undefined;
  link: Letter['link'];
}

export interface BareItem {
  reference: string;
  urgent: boolean;
  /** No mail server has accepted its email. */
  isInNoMailbox: boolean;
  warning?: string | undefined;
  link: string | undefined;
}

interface OpenList {
  items: readonly OpenItem[];
  /** Those for which there is no more place. */
  bare: readonly BareItem[];
  /** What follows the list: how many more there are. */
  rest: readonly string[];
  /** Small, at the end: how the mails end. */
  closing: readonly string[];
}

export function openListAsText({ items, bare, rest, closing }: OpenList): string[] {
  return [
    ...items.map(({ reference, form, urgent, isRefused, lines, warning, link }) =>
      [
        `${reference}, ${form}${urgent ? ' (URGENT)' : ''}`,
        ...(isRefused ? [stop] : []),
        ...lines,
        ...(warning ? [warning] : []),
        ...(link ? [`${link.label}:`, link.url] : []),
      ].join('\n'),
    ),
    ...(bare.length > 0
      ? [
          [
            describeBare(bare),
            ...bare.map((one) => `${nameBare(one)}${one.link ? `: ${one.link}` : ''}`),
          ].join('\n'),
        ]
      : []),
    ...rest,
    closing.join('\n'),
  ];
}

/** A sign, because words at each of them would make the mail too large. */
const describeBare = (bare: readonly BareItem[]) => {
  const legend = bare.some((one) => one.isInNoMailbox)
    ? ' (* no mail server has accepted its email yet)'
    : '';
  return `And ${bare.length} more, by reference alone${legend}:`;
};
const nameBare = ({ reference, urgent, isInNoMailbox, warning }: BareItem) =>
  [
    `${reference}${isInNoMailbox ? '*' : ''}`,
    ...(urgent ? ['URGENT'] : []),
    ...(warning ? [warning] : []),
  ].join(', ');

const element = (tag: string, style: keyof typeof styles, text: string) =>
  `<${tag} style="${styles[style]}">${escapeHtml(text)}</${tag}>`;

export function openListAsHtml({ items, bare, rest, closing }: OpenList): string {
  return [
    ...items.map(renderItem),
    ...(bare.length > 0 ? [element('p', 'rest', describeBare(bare)), renderBare(bare)] : []),
    ...rest.map((line) => element('p', 'rest', line)),
    element('p', 'closing', closing.join(' ')),
  ].join('\n');
}

const renderBare = (bare: readonly BareItem[]) =>
  `<p style="${styles.bare}">${bare
    .map((one) => {
      const name = escapeHtml(nameBare(one));
      return one.link ? `<a href="${escapeHtml(one.link)}">${name}</a>` : name;
    })
    .join('<br>\n')}</p>`;

function renderItem({ reference, form, urgent, isRefused, lines, warning, link }: OpenItem): string {
  const name = [
    element('strong', 'reference', reference),
    escapeHtml(form),
    ...(urgent ? [element('span', 'urgent', 'URGENT')] : []),
  ].join(' ');
  return `<div style="${urgent ? styles.urgentItem : styles.item}">
<p style="${styles.name}">${name}</p>
${isRefused ? element('p', 'stop', stop) : ''}
${lines.map((line) => element('p', 'line', line)).join('\n')}
${warning ? element('p', 'warning', warning) : ''}
${link ? `<p style="${styles.action}"><a href="${escapeHtml(link.url)}" style="${styles.link}">${escapeHtml(link.label)}</a></p>` : ''}
</div>`;
}
