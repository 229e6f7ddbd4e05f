import { expect } from 'vitest';

/** One of each kind is there as HTML too. The HTML of all others has every line and every link of the text. */
const asHtml = [
  'do-not-contact',
  'safe-times',
  'email-safe',
  'urgent-for-someone-else',
  'written-on-a-page-in-arabic',
  'link-of-a-request',
  'change-no-contact',
  'reminder-in-the-morning',
  'what-nobody-has-seen',
  'weekly-all-well',
];

/** The mail as a mailbox shows it, whole: test/mails/ is to be read like a mailbox. */
export async function expectMail(
  name: string,
  { subject, text, html }: { subject: string; text: string; html: string },
  head = '',
): Promise<void> {
  await expect(`Subject: ${subject}\n${head}\n${text}`).toMatchFileSnapshot(`mails/${name}.txt`);
  if (asHtml.includes(name)) await expect(html).toMatchFileSnapshot(`mails/${name}.html`);
  // What keeps a mail program from making a link of a number.
  const linkable = html.replace(/<span>(.)<\/span>&zwnj;/g, '$1');
  const shown = wordsOf(linkable.replace(/<[^>]+>/g, ' ').replace(/&\w+;|&#\d+;/g, ' '));
  const isThere = (line: string) => html.includes(`href="${line}"`) || shown.includes(wordsOf(line));
  // A chart is drawn in each as it can be.
  const lines = text.split('\n').filter((line) => !/[█░]/.test(line));
  expect(lines.map((line) => line.trim()).filter((line) => !isThere(line))).toEqual([]);
}

const wordsOf = (text: string) => text.replace(/[^\p{L}\d]+/gu, ' ').trim();
