import { expect, test } from 'vitest';
import { mailOf, stored } from '../../../../test/support/submission-mail.ts';

const refusal = "Please don't contact me, I will contact you";

/** As a person sees it: without the characters and elements that keep a mail program from making a link. */
const shownIn = (html = '') => html.replace(/<span>(.)<\/span>&zwnj;/g, '$1');

test('a number that nobody may use is struck through and no link, and one that is safe is neither', async () => {
  const answers = { Message: 'My number is 021 000 000' };
  const refused = (await mailOf(stored('help', { ...answers, SafeContact: [refusal] }))).mail;
  expect(refused.html).not.toContain('021 000 000');
  expect(shownIn(refused.html)).toContain('<s>021 000 000</s>');
  expect(shownIn(refused.html)).toContain('<s>hone@visitor.example</s>');
  // In their message nothing is struck through, but a tap calls nobody either.
  expect(shownIn(refused.html)).toContain('>My number is 021 000 000<');
  expect(refused.text).toContain('Phone (DO NOT USE)\n    021 000 000');
  const damaged = stored('help', {}, { damaged: '"Phone": "021 000 000"' });
  expect((await mailOf(damaged)).mail.html).not.toContain('021 000 000');
  const called = (await mailOf(stored('help', { ...answers, SafeContact: ['Phone call'] }))).mail;
  expect(called.html).not.toContain('<s>021');
  expect(called.html).toContain('>021 000 000</dd>');
  expect(shownIn(called.html)).toContain('<s>hone@visitor.example</s>');
});

test('a number for texts alone opens a text, and never a call', async () => {
  const htmlOf = async (Phone: string) =>
    (await mailOf(stored('help', { SafeContact: ['Text message'], Phone }))).mail.html;
  expect(await htmlOf('+64 21 (000) 000')).toMatch(
    /<a href="sms:\+6421000000"[^>]*>\+64 21 \(000\) 000<\/a>/,
  );
  // +64 0… would be the number of nobody.
  expect(await htmlOf('+64 (0)21 000 000')).toContain('sms:+6421000000"');
  // A link of all these digits would text a stranger.
  for (const two of [
    '021 000 000 - 022 000 000',
    '021 000 0000 9-5',
    '021 000 000 9-5',
    '021 000 000 (9-12)',
  ])
    expect(await htmlOf(two)).not.toContain('sms:');
  const inWords = await htmlOf('021 000 000, after 5');
  expect(inWords).not.toContain('sms:');
  // Nor is it a number to call among the answers, or in their message.
  for (const html of [inWords, await htmlOf('021 000 000')])
    expect(html?.replace(/<a .*?<\/a>/, '')).not.toMatch(/\d{3} \d{3}/);
  expect(shownIn(inWords)).toMatch(/font-weight:bold[^>]*>021 000 000, after 5</);
});

test('a number is never larger than what limits its use, and comes after it', async () => {
  const limited = {
    CallTimes: ['Mornings'],
    IfSomeoneAnswers: ['Do not leave a message'],
    OtherTimes: 'Not on Friday',
  };
  const { html = '' } = (await mailOf(stored('help', { SafeContact: ['Phone call'], ...limited }))).mail;
  const lines = [...html.matchAll(/<p[^>]*font-size:(\d+)px[^>]*>([^<]*)/g)].map(([, size, words]) => ({
    size: Number(size),
    words: words ?? '',
  }));
  const at = (words: string) => lines.findIndex((line) => line.words.includes(words));
  const number = at('021 000 000');
  for (const limit of ['only at these times: Mornings', 'LEAVE NO MESSAGE', 'Not on Friday']) {
    expect(at(limit)).toBeGreaterThan(-1);
    expect(at(limit)).toBeLessThan(number);
    expect(lines[at(limit)]?.size).toBeGreaterThanOrEqual(lines[number]?.size ?? Number.NaN);
  }
});

test('white on red is printed as it is: browsers print white text grey, without the red', async () => {
  const { html } = (await mailOf(stored('help', { SafeContact: [refusal] }))).mail;
  expect(html).toMatch(/background:#b3141d[^"]*;print-color-adjust:exact"/);
});
