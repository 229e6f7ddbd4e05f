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
  ['the ways that will do', ['Ring me', 'Email'], { kind: 'reach', choices: 'Email' }],
  ['their own words', ['Through my nurse', 'Email'], { kind: 'reach', choices: 'Email, Through my nurse' }],
  ['that nobody can, where nothing was given', ['Ring me'], { kind: 'unreachable' }],
  ['that nobody can, where nothing was chosen', [], { kind: 'unreachable' }],
  ['that nobody will, also beside a way', ['Leave me be', 'Email'], { kind: 'none' }],
])('the receipt says %s', (_what, Reach, step) => {
  expect(findNextStep(meanings, { ...answered, Reach })).toMatchObject({ ...step, urgent: false });
});

test.each([
  ['where they said', answered, 'reply'],
  ['by telephone, where the email is none', { Email: 'not an email', Phone: '021 000 000' }, 'reply'],
  ['where it asks for neither', { Message: 'Sample' }, 'reply'],
  ['not at all, where no email or number is one', { Email: 'not an email', Phone: 'banana' }, 'unreachable'],
])('a form that does not ask how is answered %s', (_where, answers, kind) => {
  expect(findNextStep([], answers)).toMatchObject({ kind, urgent: false });
});

test('an urgent choice is told with every step, also with a refusal', () => {
  const urgent: Meanings = [...meanings, { key: 'Need', choice: 'Not safe', means: 'urgent' }];
  for (const Reach of [['Email'], ['Ring me'], ['Leave me be']])
    expect(findNextStep(urgent, { ...answered, Reach, Need: ['Not safe'] }).urgent).toBe(true);
});
