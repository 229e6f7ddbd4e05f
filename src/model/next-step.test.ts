import { expect, test } from 'vitest';
import type { Meanings } from './choice-meanings.ts';
import { findNextStep } from './next-step.ts';

const meanings: Meanings = [
  { key: 'Reach', choice: 'Ring me', means: 'call', asks: 'Phone' },
  { key: 'Reach', choice: 'Email', means: 'email', asks: 'Email' },
  { key: 'Reach', choice: 'Leave me be', means: 'none' },
];
const answered = { Email: 'sample@visitor.example', Phone: '' };

test.each([
  ['the ways that can be used', ['Ring me', 'Email'], { kind: 'reach', choices: ['Email'] }],
  [
    'choices without a meaning, in their own words',
    ['Through my nurse', 'Email'],
    { kind: 'reach', choices: ['Email', 'Through my nurse'] },
  ],
  ['unreachable, where no number was given', ['Ring me'], { kind: 'unreachable' }],
  ['unreachable, where nothing was chosen', [], { kind: 'unreachable' }],
  ['no contact, also where a way was chosen too', ['Leave me be', 'Email'], { kind: 'none' }],
])('the receipt says %s', (_what, Reach, step) => {
  expect(findNextStep(meanings, { ...answered, Reach })).toMatchObject({ ...step, urgent: false });
});

test.each([
  ['a usable email', answered, 'reply'],
  ['a usable number and an unusable email', { Email: 'not an email', Phone: '021 000 000' }, 'reply'],
  ['a form that asks for neither', { Message: 'Sample' }, 'reply'],
  ['an unusable email and number', { Email: 'not an email', Phone: 'banana' }, 'unreachable'],
])('a form that does not ask for safe ways has the step for %s', (_where, answers, kind) => {
  expect(findNextStep([], answers)).toMatchObject({ kind, urgent: false });
});

test('an urgent choice makes every step urgent, also after a refusal of contact', () => {
  const urgent: Meanings = [...meanings, { key: 'Need', choice: 'Not safe', means: 'urgent' }];
  for (const Reach of [['Email'], ['Ring me'], ['Leave me be']])
    expect(findNextStep(urgent, { ...answered, Reach, Need: ['Not safe'] }).urgent).toBe(true);
});
