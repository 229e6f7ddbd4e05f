import { escapeHtml } from '../../../model/escape-html.ts';
import type { Step } from '../../../model/staff-page.ts';
import type { Banner, Letter, LetterAnswer, Line, Tone } from './letter.ts';

/** Of the first sentence, of a number, and of what limits its use: a number is never larger than its limits. */
const large = 'font-size:24px;line-height:1.3;font-weight:bold';

/** On paper browsers leave out colours behind text, and turn white text grey: DO NOT CONTACT would be the palest line. */
export const inPrint = '-webkit-print-color-adjust:exact;print-color-adjust:exact';

/** Mail programs drop style sheets, so each element has its styles. No pictures, nothing to fetch, and no links but
 * `Letter.link` and a number for texts. */
const styles = {
  body: 'margin:0;padding:24px 16px;background:#f4f6f8;color:#1c2733;font:16px/1.5 -apple-system,Segoe UI,Roboto,Arial,sans-serif',
  page: 'max-width:640px;margin:0 auto 24px;background:#ffffff;border:1px solid #d5dce3;border-radius:8px;overflow:hidden',
  shout: `margin:0 0 4px;${large}`,
  line: 'margin:0',
  limit: `margin:8px 0 4px;${large}`,
  steps: 'margin:8px 0 12px;padding:0;list-style:none',
  step: 'margin:0 0 4px',
  bold: 'margin:8px 0 0;font-weight:bold',
  // Isolated: an answer with characters that change the direction of writing changes only its own.
  contactDetail: `margin:0 0 8px;${large};white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate`,
  textLink: 'color:inherit',
  wrote: 'margin:0 0 4px;font-style:italic;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate',
  inside: 'padding:20px 24px 24px',
  title: 'margin:0 0 4px;font-size:16px;line-height:1.5;color:#28425b',
  fact: 'margin:0',
  label: 'color:#52606d',
  note: 'margin:16px 0 0;padding:12px 16px;background:#f4f6f8;border-left:4px solid #52606d',
  answers: 'margin:0',
  question: 'margin:16px 0 4px;font-size:14px;font-weight:bold;color:#28425b',
  answer:
    'margin:0;padding:8px 12px;background:#f4f6f8;border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate',
  warning:
    'margin:0 0 4px;padding:2px 8px;background:#ffe1a8;color:#3d2600;border-radius:4px;font-size:14px;font-weight:bold',
  unanswered: 'margin:20px 0 0;font-size:14px;color:#52606d',
  link: 'margin:24px 0 0',
  button: `display:inline-block;padding:12px 20px;background:#28425b;color:#ffffff;border-radius:8px;font-weight:bold;text-decoration:none;${inPrint}`,
} as const;

/** White on red and dark on yellow stay readable in mail programs with a dark mode, which swap light and dark colours. */
const banners: Record<Tone, string> = {
  stop: `background:#b3141d;color:#ffffff;padding:20px 24px;${inPrint}`,
  caution: `background:#ffe1a8;color:#3d2600;padding:16px 24px 16px 16px;border-left:8px solid #b45309;${inPrint}`,
  urgent: `background:#ffd23f;color:#1c2733;padding:16px 24px;${inPrint}`,
  someoneElse: `background:#28425b;color:#ffffff;padding:16px 24px;${inPrint}`,
  go: `background:#dcefe3;color:#12351f;padding:16px 24px 16px 16px;border-left:8px solid #1e6b45;${inPrint}`,
  well: `background:#1e6b45;color:#ffffff;padding:20px 24px;${inPrint}`,
};

/** Every inline style, for the content security policy of the page that shows letters. */
export const inlineStyles: readonly string[] = [...Object.values(styles), ...Object.values(banners)];

/** Letters on one page, one below the other. `below` is HTML at the end of each. */
export function letterAsHtml(letters: readonly Letter[], below = ''): string {
  return `<!doctype html>
<html lang="en-NZ">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light only"><title>${escapeHtml(letters[0]?.title ?? '')}</title></head>
<body style="${styles.body}">
${letters.map((letter) => renderLetter(letter, below)).join('\n')}
</body>
</html>
`;
}

const element = (tag: string, style: keyof typeof styles, text: string) =>
  `<${tag} style="${styles[style]}">${escapeHtml(text)}</${tag}>`;

/** The HTML of a letter, without a page around it. */
export function renderLetter(
  { title, banners = [], facts = [], beforeAnswers, answers = [], unanswered = '', notes = [], link }: Letter,
  below = '',
): string {
  const head = facts
    .map(([label, value]) => {
      const name = element('span', 'label', `${label}:`);
      return `<p style="${styles.fact}">${name} <strong>${escapeHtml(value)}</strong></p>`;
    })
    .join('\n');
  const list = answers.map(renderAnswer).join('\n');
  return `<div style="${styles.page}">
${banners.map(renderBanner).join('')}
<div style="${styles.inside}">
${element('h1', 'title', title)}
${head}${beforeAnswers ? `\n${element('p', 'note', beforeAnswers)}` : ''}
${list === '' ? '' : `<dl style="${styles.answers}">\n${list}\n</dl>`}
${unanswered === '' ? '' : element('p', 'unanswered', unanswered)}
${notes.map((note) => element('p', 'note', note)).join('\n')}${below}${link ? renderLink(link) : ''}
</div>
</div>`;
}

const renderLink = ({ label, url }: NonNullable<Letter['link']>) =>
  `\n<p style="${styles.link}"><a href="${escapeHtml(url)}" style="${styles.button}">${escapeHtml(label)}</a></p>`;

function renderBanner({ tone, shout, lines }: Banner): string {
  const role = tone === 'well' || tone === 'go' ? '' : ' role="alert"';
  return `<div${role} style="${banners[tone]}">${element('p', 'shout', shout)}${lines.map(renderLine).join('')}</div>`;
}

function renderLine(line: Line): string {
  if (typeof line === 'string') return element('p', 'line', line);
  if ('bold' in line) return element('p', 'bold', line.bold);
  if ('limit' in line) return element('p', 'limit', line.limit);
  if ('steps' in line) return `<ul style="${styles.steps}">${line.steps.map(renderStep).join('')}</ul>`;
  if ('wrote' in line) return theirWords('wrote', line.lang, escapeHtml(line.wrote));
  const { contactDetail, lang, isForTexts } = line;
  return theirWords(
    'contactDetail',
    lang,
    isForTexts ? linkForTexts(contactDetail) : escapeHtml(contactDetail),
  );
}

const renderStep = ([first, rest]: Step) =>
  `<li style="${styles.step}"><strong>${escapeHtml(first)}</strong> ${escapeHtml(rest)}</li>`;

const theirWords = (style: 'contactDetail' | 'wrote', lang: string | undefined, html: string) =>
  `<p${langAttribute(lang)} dir="auto" style="${styles[style]}">${html}</p>`;

/** A phone makes a link that calls of every number that is not in a link. One of two numbers, or of an hour too, would text a stranger. */
function linkForTexts(number: string): string {
  const digits = number.replace('(0)', '').replace(/[^+\d]/g, '');
  const isOne = /^[\d\s().+-]+\d{3}$/.test(number) && /^(0\d{8,10}|\+[1-9]\d{7,14})$/.test(digits);
  return isOne
    ? `<a href="sms:${digits}" style="${styles.textLink}">${escapeHtml(number)}</a>`
    : unlink(number);
}

/**
 * Mail programs make links of numbers and addresses, as they find them in the text. Most are stopped by a character without
 * width, Gmail by an element. Copying such a number copies those characters too, so it cannot be dialled from there either.
 */
const unlink = (text: string) =>
  escapeHtml(text).replace(/\d[\d\s().-]{3,}\d|@/g, (found) =>
    found.replace(/[\d@]/g, '<span>$&</span>&zwnj;'),
  );

const langAttribute = (lang: string | undefined) => (lang ? ` lang="${escapeHtml(lang)}"` : '');

/** The warning comes before the answer: nobody shall read a number before they know not to use it. */
function renderAnswer({ question, answer, warning, lang, unlinked }: LetterAnswer): string {
  const term = warning
    ? `<dt style="${styles.question}">${escapeHtml(question)} ${element('span', 'warning', warning)}</dt>`
    : element('dt', 'question', question);
  const text = unlinked ? unlink(answer) : escapeHtml(answer);
  const shown = warning ? `<s>${text}</s>` : text;
  return `${term}\n<dd${langAttribute(lang)} dir="auto" style="${styles.answer}">${shown}</dd>`;
}
