import { expect, test } from 'vitest';
import { meaningsOf } from '../../model/choice-meanings.ts';
import type { ChoiceMeaning, FormField } from '../../model/form-field.ts';
import { callQuestionsCss } from './call-questions-css.ts';

const question = { displayName: 'A', description: '', required: false };
const checkbox = (key: string, ...meanings: ChoiceMeaning[]): FormField => ({
  ...question,
  key,
  type: 'checkbox',
  choices: meanings.map(({ choice }) => choice),
  meanings,
});
const ways = checkbox(
  'Reach',
  { choice: 'Call “me”\\"</style>', means: 'call' },
  { choice: 'Email', means: 'email' },
);
const times = checkbox('When', { choice: 'Mornings', means: 'time' });
const ownWords: FormField = { ...question, key: 'Words', type: 'text', means: 'safeTimes' };

const cssOf = (help: FormField[], contact: FormField[] = []) =>
  callQuestionsCss({
    forms: { help, contact },
    meanings: { help: meaningsOf(help), contact: meaningsOf(contact) },
  });

test('the questions about calling are hidden until a call or a text is chosen, whatever the words of the choice', () => {
  const css = cssOf([ways, times, ownWords]);
  expect(css).toBe(
    'form:not(:has(#help-Reach-hint~* [value="Call \\201c me\\201d \\5c \\22 \\3c \\2f style\\3e "]:checked)) ' +
      ':has(>#help-When-hint,>#help-Words-hint):not(:has([aria-invalid=true])){display:none}',
  );
});

test('they are always shown where the form asks for no call, or asks for both in one question', () => {
  expect(cssOf([times, ownWords], [times])).toBe('');
  expect(cssOf([checkbox('Reach', { choice: 'Email', means: 'email' }), times])).toBe('');
  const both = checkbox(
    'Reach',
    { choice: 'Call', means: 'call' },
    { choice: 'No voicemail', means: 'no-message' },
  );
  expect(cssOf([both])).toBe('');
  expect(cssOf([ways])).toBe('');
});

test('a question that must be answered, or that asks for more than calling, is never hidden', () => {
  const mixed = checkbox(
    'SupportNeeded',
    { choice: 'Food' },
    { choice: 'Call in the morning', means: 'time' },
  );
  expect(cssOf([ways, mixed])).toBe('');
  // A choice without a meaning has no entry among the meanings.
  const plain = { ...times, key: 'Plain', choices: ['Mornings', 'Any time'] } as FormField;
  expect(cssOf([ways, plain, { ...times, required: true }, { ...ownWords, required: true }])).toBe('');
  expect(cssOf([ways, mixed, times])).toContain(':has(>#help-When-hint):not');
});
