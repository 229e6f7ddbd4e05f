import type { Letter } from './letter.ts';

/** Everything goes through here. `'` too, so that it is safe in either kind of attribute. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (char) => entities[char] ?? char);
}

/** Mail programs drop style sheets, so the styles stand on the elements. No pictures, no links, nothing to fetch. */
const styles = {
  body: 'margin:0;padding:24px 16px;background:#f4f6f8;color:#1c2733;font:16px/1.5 -apple-system,Segoe UI,Roboto,Arial,sans-serif',
  page: 'max-width:640px;margin:0 auto 24px;background:#ffffff;border:1px solid #d5dce3;border-radius:8px;overflow:hidden',
  well: 'background:#1e6b45;color:#ffffff;padding:20px 24px',
  urgent: 'background:#ffd23f;color:#1c2733;padding:16px 24px',
  warning: 'background:#b3141d;color:#ffffff;padding:20px 24px',
  shout: 'margin:0 0 4px;font-size:22px;line-height:1.3;font-weight:bold',
  inside: 'padding:24px',
  title: 'margin:0 0 16px;font-size:22px;line-height:1.3;color:#28425b',
  fact: 'margin:0 0 4px',
  label: 'color:#52606d',
  note: 'margin:16px 0 0;padding:12px 16px;background:#fff6db;border-left:4px solid #b7791f',
  answers: 'margin:24px 0 0',
  question: 'margin:20px 0 4px;font-weight:bold;color:#28425b',
  // Isolated, so that an answer that turns the direction of writing turns only itself.
  answer:
    'margin:0;padding:8px 12px;background:#f4f6f8;border-radius:4px;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate',
  unanswered: 'margin:0;padding:0 12px;color:#52606d;font-style:italic',
} as const;

/** Every style that stands on an element, for a page that has to name what it allows. */
export const inlineStyles: readonly string[] = [...Object.values(styles), 'margin:0'];

/** `below` is what else stands in it, set already. */
export const letterAsHtml = (letter: Letter, below = ''): string =>
  setPage(letter.title, setLetter(letter, below));

/** Several in one mail, one below the other. */
export const lettersAsHtml = (letters: readonly Letter[]): string =>
  setPage(letters[0]?.title ?? '', letters.map((letter) => setLetter(letter)).join('\n'));

function setPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en-NZ">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escapeHtml(title)}</title></head>
<body style="${styles.body}">
${body}
</body>
</html>
`;
}

/** The letter alone, without a page around it. */
export function setLetter(
  { title, well = [], urgent, warning, notes, facts, answers }: Letter,
  below = '',
): string {
  const element = (tag: string, style: keyof typeof styles, text: string) =>
    `<${tag} style="${styles[style]}">${escapeHtml(text)}</${tag}>`;
  const banner = (style: 'well' | 'urgent' | 'warning', [shout, ...rest]: readonly string[]) =>
    shout
      ? `<div${style === 'well' ? '' : ' role="alert"'} style="${styles[style]}">${element('p', 'shout', shout)}${rest
          .map((line) => `<p style="margin:0">${escapeHtml(line)}</p>`)
          .join('')}</div>`
      : '';
  const head = facts
    .map(([label, value]) => {
      const name = element('span', 'label', `${label}:`);
      return `<p style="${styles.fact}">${name} <strong>${escapeHtml(value)}</strong></p>`;
    })
    .join('\n');
  const list = answers
    .map(({ question, answer }) => {
      const term = element('dt', 'question', question);
      return answer === null
        ? `${term}\n${element('dd', 'unanswered', 'not answered')}`
        : `${term}\n<dd dir="auto" style="${styles.answer}">${escapeHtml(answer)}</dd>`;
    })
    .join('\n');
  return `<div style="${styles.page}">
${banner('well', well)}${banner('urgent', urgent)}${banner('warning', warning)}
<div style="${styles.inside}">
${element('h1', 'title', title)}
${head}
${notes.map((note) => element('p', 'note', note)).join('\n')}
${list === '' ? '' : `<dl style="${styles.answers}">\n${list}\n</dl>`}${below}
</div>
</div>`;
}
