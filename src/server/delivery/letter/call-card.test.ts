import { expect, test } from 'vitest';
import { mailOf, stored, withSafeContact } from '../../../../test/support/submission-mail.ts';
import type { Answers } from '../../../model/answers.ts';
import type { FormName } from '../../../model/form-field.ts';

/** The lines of the card, and the first line of ours below it. */
async function cardIn(form: FormName, answers: Answers, changes = {}): Promise<string[]> {
  const { text = '' } = (await mailOf(stored(form, answers, changes))).mail;
  const [, below = ''] = /(?:^- .*\n)+(.*)/m.exec(text) ?? [];
  const card = [...text.matchAll(/^- (.*)$/gm)].map(([, line]) => line ?? '');
  return card.length > 0 ? [...card, below] : [];
}

const beforeCall = [
  expect.stringMatching(/^Hide your number: .*0197.*#31#.*your own phone first/),
  expect.stringMatching(/^Ask “Is this a good time\?” .*only when you are sure/),
  expect.stringMatching(/^Somebody else answers\? “Sorry, wrong number\.”/),
];

test('above the number stands what to know before a call, in six short lines at most', async () => {
  const call = await cardIn('help', { SafeContact: ['Phone call'] });
  expect(call).toEqual([...beforeCall, 'In voicemail: name neither us nor why.', 'Call:']);
  const both = await cardIn('help', { SafeContact: ['Phone call', 'Text message', 'Email'] });
  expect(both.slice(-2)).toEqual(['In voicemail or a text: name neither us nor why.', 'Call or text:']);
  for (const line of call) expect(String(line).split(' ').length).toBeLessThanOrEqual(20);
  expect(await cardIn('help', { SafeContact: ['Text message'] })).toEqual([
    'In a text: name neither us nor why.',
    'Text:',
  ]);
});

test('where no message may be left, that stands above the card, and the card says nothing milder', async () => {
  const IfSomeoneAnswers = ['Do not leave a message'];
  expect(await cardIn('help', { SafeContact: ['Phone call'], IfSomeoneAnswers })).toEqual([
    ...beforeCall,
    'Call this person:',
  ]);
  // All that there is to know for a text is said already.
  expect(await cardIn('help', { SafeContact: ['Text message'], IfSomeoneAnswers })).toEqual([]);
});

test('there is no card where nobody may call or text, or can', async () => {
  const refusal = "Please don't contact me, I will contact you";
  for (const answers of [
    { SafeContact: ['Email'] },
    { SafeContact: ['Phone call', refusal] },
    { SafeContact: ['Phone call'], Phone: 'banana' },
    { SafeContact: [] },
  ])
    expect(await cardIn('help', answers)).toEqual([]);
  expect(await cardIn('help', {}, { answers: { sealed: 'x' } })).toEqual([]);
  expect(await cardIn('help', { SafeContact: ['Phone call'] }, { damaged: 'x' })).toEqual([]);
  // Only words: whether they allow a call, nobody knows but who reads them.
  const definition = withSafeContact({ choices: ['Phone call'] });
  expect(await cardIn('help', { SafeContact: ['Phone call'] }, { definition })).toEqual([]);
});

test('a message that only a call can answer has the card', async () => {
  const Phone = '021 000 000';
  expect(await cardIn('contact', { Email: '', Phone })).toEqual([
    ...beforeCall,
    'In voicemail: name neither us nor why.',
    'You can call them:',
  ]);
  expect(await cardIn('contact', { Phone })).toEqual([]);
});
