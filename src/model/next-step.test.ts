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
  expect(findNextStep(meanings, { ...answered, Reach })).toEqual(step);
});

test('a form that does not ask how is answered where they said', () => {
  expect(findNextStep([], answered)).toEqual({ kind: 'reply' });
});
