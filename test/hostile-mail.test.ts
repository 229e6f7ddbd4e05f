import { type Browser, chromium } from '@playwright/test';
import PostalMime, { type Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printable } from '../src/server/delivery/letter/printable.ts';
import { createSubmissionMail } from '../src/server/delivery/letter/submission-mail.ts';
import { writeMail } from '../src/server/delivery/mail.ts';
import { chromiumArgs, getChromium } from './support/chromium.ts';
import { shippedContent } from './support/forms.ts';
import { hostileAnswers } from './support/hostile-answers.ts';
import { addresses } from './support/stored-submissions.ts';
import { receivedAt, stored } from './support/submission-mail.ts';

/** The same hostile text in every answer that takes text, also in those that staff read beside what to do. */
async function writeHostile(text: string) {
  const texts = { FirstName: text, LastName: text, Email: text, Phone: text, Subject: text, Message: text };
  const ways = { SafeContact: ['Phone call', 'Email'] };
  const written = await writeMail(
    createSubmissionMail(stored('help', { ...texts, ...ways }), shippedContent.site, addresses, receivedAt),
  );
  return { ...written, mail: await PostalMime.parse(written.raw) };
}

const ordinary = await writeHostile('ordinary');
const headersOf = ({ mail }: typeof ordinary) =>
  mail.headers.map(({ key }) => key).filter((key) => key !== 'reply-to');

test('no answer adds a header or a recipient, or changes one', async () => {
  for (const text of hostileAnswers) {
    const { envelope, mail, raw } = await writeHostile(text);
    expect(envelope).toEqual(ordinary.envelope);
    expect(headersOf({ ...ordinary, mail })).toEqual(headersOf(ordinary));
    expect(mail.subject).toBe('[Get Help] New request HK7W-3RQX');
    expect([mail.to, mail.cc, mail.bcc, mail.from]).toEqual([
      ordinary.mail.to,
      undefined,
      undefined,
      ordinary.mail.from,
    ]);
    // One address, and exactly the one that was typed.
    if (mail.replyTo) expect(mail.replyTo).toEqual([{ name: '', address: text.trim() }]);
    expect(
      raw
        .toString('latin1')
        .split('\r\n')
        .every((line) => line.length <= 998),
    ).toBe(true);
  }
});

test('the text reads back as it was typed, and no answer stands at the edge like a line of ours', async () => {
  for (const text of hostileAnswers) {
    const { mail } = await writeHostile(text);
    if (text.trim() === '') {
      expect(mail.text).toMatch(/\nNot answered: .*Subject, Message\./);
      continue;
    }
    const lines = (mail.text ?? '').replace(/\r\n/g, '\n').split('\n');
    const from = lines.indexOf('Subject');
    const to = lines.indexOf('Tell us what is going on, as much or as little as you like');
    expect(from).toBeGreaterThan(0);
    expect(to).toBeGreaterThan(from);
    const answer = lines.slice(from + 1, to - 1);
    expect(answer.every((line) => line.startsWith('    '))).toBe(true);
    expect(answer.map((line) => line.slice(4)).join('\n')).toBe(printable(text));
    // In the banner too, where the number and the address stand among lines of ours.
    const banner = lines.slice(1, lines.indexOf('='.repeat(64), 1));
    const ours = banner.filter((line) => !line.startsWith('    '));
    expect(ours.every((line) => /^(- |(Call|Email|They|A reply|THERE IS|DO NOT|Please)\b)/.test(line))).toBe(
      true,
    );
  }
});

/** The browser may have to be fetched first. */
const fetchMs = 15 * 60_000;

describe('the mail in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: getChromium(), args: chromiumArgs });
  }, fetchMs);
  afterAll(() => browser.close());

  test('no answer becomes an element, runs, or fetches anything; each reads back as it was typed', async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => asked.push('a dialog')));
    const look = async (html: string) => {
      await page.setContent(html);
      return page.evaluate(() => ({
        elements: [...document.querySelectorAll('*')].map(({ tagName }) => tagName).join(' '),
        attributes: [
          ...new Set([...document.querySelectorAll('body *')].flatMap((one) => one.getAttributeNames())),
        ],
        answers: [...document.querySelectorAll('dd')].map((one) => one.textContent),
      }));
    };
    // What nobody can be reached by is said in other lines than a number or an address, and what is to be deleted before
    // a reply is said where there can be one.
    const kindOf = (text: string, { replyTo }: Email) =>
      `${text.trim() !== ''} ${/[^\s@]@[^\s@]/.test(text)} ${(text.match(/\p{Nd}/gu)?.length ?? 0) >= 7} ${replyTo !== undefined}`;
    const harmless = ['', 'ordinary', 'a@b.example', 'a@b', '021 000 0000', 'a@b.example 021 000 0000'];
    const expected = new Map<string, string>();
    for (const text of harmless) {
      const { mail } = await writeHostile(text);
      expected.set(kindOf(text, mail), (await look(mail.html ?? '')).elements);
    }
    for (const text of hostileAnswers) {
      const { mail } = await writeHostile(text);
      const { elements, attributes, answers } = await look(mail.html ?? '');
      expect(elements).toBe(expected.get(kindOf(text, mail)));
      expect(attributes.every((name) => ['style', 'dir', 'role'].includes(name))).toBe(true);
      if (text.trim() !== '') expect(answers.slice(1, 3)).toEqual([printable(text), printable(text)]);
    }
    expect(asked).toEqual([]);
  });
});
