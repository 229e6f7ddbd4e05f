import { expect, test } from 'vitest';
import { clientMeanings, type Meanings, meaningsOf, understand } from './choice-meanings.ts';

const meanings: Meanings = [
  { key: 'Reach', choice: 'Ring me', means: 'call', asks: 'Phone' },
  { key: 'Reach', choice: 'Write to me', means: 'post' },
  { key: 'Reach', choice: 'Leave me be', means: 'none' },
  { key: 'Needs', choice: 'Not safe', means: 'urgent' },
];

test('a choice means what the trust wrote beside it; nothing is guessed from its words', () => {
  const { ways, refusals, uninterpreted, urgent, asked } = understand(meanings, {
    Phone: '021 000 000',
    Reach: ['Ring me', 'Do not contact me'],
    Needs: ['Not safe', 'Please email me'],
  });
  expect(asked).toBe(true);
  expect(ways).toEqual([{ key: 'Reach', choice: 'Ring me', way: 'call', asks: 'Phone', missing: false }]);
  expect(refusals).toEqual([]);
  expect(uninterpreted).toEqual(['Do not contact me']);
  expect(urgent).toEqual(['Not safe']);
});

test('a way of contact lacks an answer only where the form asks for it, and the answer is empty or unusable', () => {
  const missing = (answers: Record<string, string>) =>
    understand(meanings, { Reach: ['Ring me', 'Write to me'], ...answers }).ways.map((way) => way.missing);
  expect(missing({ Phone: ' ' })).toEqual(['empty', false]);
  expect(missing({ Phone: 'banana' })).toEqual(['unusable', false]);
  expect(missing({ Phone: '000 00' })).toEqual(['unusable', false]);
  expect(missing({ Phone: 'home: 300 00 00' })).toEqual([false, false]);
  expect(missing({ Phone: '٠٠٠٠٠٠٠' })).toEqual([false, false]);
  expect(missing({})).toEqual([false, false]);
});

test('the same words at another question have a meaning of their own', () => {
  expect(understand(meanings, { Needs: ['Leave me be'] })).toMatchObject({
    asked: false,
    refusals: [],
    uninterpreted: [],
  });
});

test('a question with the key SafeContact asks for contact also without meanings; its choices are shown by their words', () => {
  expect(understand([], { SafeContact: ['Email'] })).toMatchObject({
    asked: true,
    ways: [],
    uninterpreted: ['Email'],
  });
  expect(understand([], { Other: ['Email'] })).toMatchObject({ asked: false, uninterpreted: [] });
});

test('names that every JavaScript object has, such as constructor, are no meanings', () => {
  const answers = { SafeContact: ['constructor', '__proto__', 'toString'] };
  expect(understand([], answers).uninterpreted).toEqual(answers.SafeContact);
});

test('meanings are gathered from all questions of a form', () => {
  const question = { type: 'checkbox', displayName: 'A', description: 'B', required: true } as const;
  const meaning = { choice: 'Email', means: 'email', asks: 'Mail' };
  const form = [
    { ...question, key: 'One', choices: ['Email'], meanings: [meaning] },
    { ...question, key: 'Two', choices: ['Email'] },
  ];
  expect(meaningsOf(form)).toEqual([{ key: 'One', ...meaning }]);
});

test('what is said about calling is no way of contact, and the browser knows of it only where the question asks for ways', () => {
  const noMessage = { choice: 'No voicemail', means: 'no-message' };
  const call = { choice: 'Ring me', means: 'call' };
  const question = { type: 'checkbox', displayName: 'A', description: '', required: false } as const;
  const form = [
    { ...question, key: 'Reach', choices: ['Ring me', 'No voicemail'], meanings: [call, noMessage] },
    { ...question, key: 'When', choices: ['No voicemail'], meanings: [noMessage] },
  ];
  const onPage = clientMeanings(meaningsOf(form));
  expect(onPage).toEqual([
    { ...call, key: 'Reach' },
    { ...noMessage, key: 'Reach' },
  ]);
  const answers = { Reach: ['Ring me', 'No voicemail'], When: ['No voicemail'] };
  for (const known of [onPage, meaningsOf(form)])
    expect(understand(known, answers)).toMatchObject({ ways: [{ way: 'call' }], uninterpreted: [] });
});
