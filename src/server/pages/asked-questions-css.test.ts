import { expect, test } from 'vitest';
import { meaningsOf } from '../../model/choice-meanings.ts';
import type { ChoiceMeaning, FormField } from '../../model/form-field.ts';
import { askedQuestionsCss } from './asked-questions-css.ts';

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
  askedQuestionsCss({
    forms: { help, contact },
    meanings: { help: meaningsOf(help), contact: meaningsOf(contact) },
  });

test('the questions about calling are hidden until a call or a text is chosen, whatever the words of the choice', () => {
  const css = cssOf([ways, times, ownWords]);
  expect(css).toBe(
    'form[novalidate]:not(:has(#help-Reach-hint~* [value="Call \\201c me\\201d \\5c \\22 \\3c \\2f style\\3e "]:checked)) ' +
      ':has(>#help-When-hint,>#help-Words-hint)' +
      ':not(:has(:checked,:focus,textarea,[type=text]:not([value=""]),[aria-invalid=true])){display:none}',
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

test('a question that is shown when it is asked for is hidden until a way is chosen that asks for it', () => {
  const asked = (key: string): FormField => ({ ...question, key, type: 'text', shown: 'asked' });
  const css = cssOf([
    checkbox('Reach', { choice: 'Call', means: 'call', asks: 'Mobile' }, { choice: 'Email', means: 'email' }),
    asked('Email'),
    asked('Mobile'),
    // Nothing asks for it, so it could never be answered.
    asked('Fax'),
    times,
  ]);
  expect(css.match(/form.*?\}/g)?.map((rule) => rule.replace(/:not\(:has\(:checked,.*/, ''))).toEqual([
    'form[novalidate]:not(:has(#help-Reach-hint~* [value="Email"]:checked)) :has(>#help-Email-hint)',
    'form[novalidate]:not(:has(#help-Reach-hint~* [value="Call"]:checked)) :has(>#help-Mobile-hint,>#help-When-hint)',
  ]);
  expect(
    cssOf([
      checkbox('Reach', { choice: 'Email', means: 'email' }),
      { ...question, key: 'Email', type: 'text' },
    ]),
  ).toBe('');
});
