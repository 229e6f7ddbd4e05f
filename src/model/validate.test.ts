import { expect, test } from 'vitest';
import { fromEntries, initialAnswers, toEntries } from './answers.ts';
import { checkEntries } from './check-entries.ts';
import { fieldTypes } from './field-types.ts';
import type { Definition } from './form-field.ts';
import { validateAnswers } from './validate.ts';

const question = { description: 'A question', required: true };
const definition: Definition = [
  { ...question, key: 'Name', type: 'text', displayName: 'Name' },
  { ...question, key: 'Ways', type: 'checkbox', displayName: 'Ways', choices: ['Phone', 'Email'] },
  { ...question, key: 'Other', type: 'boolean', displayName: 'For someone else' },
  { ...question, key: 'Message', type: 'textarea', displayName: 'Message' },
  { ...question, key: 'Note', type: 'text', displayName: 'Note', required: false },
];
const text = { required: '{question} is required', tooLong: '{question} is longer than {most} characters' };
const filled = { Name: 'Sample', Ways: ['Email'], Other: false, Message: 'Hello', Note: '' };
const filledEntries = toEntries(definition, filled);

test('a form starts with false, an empty list and empty strings', () => {
  expect(initialAnswers(definition)).toEqual({ Name: '', Ways: [], Other: false, Message: '', Note: '' });
});

test('answers become entries in the order of the questions, and entries become answers again', () => {
  expect(filledEntries.map(({ key }) => key)).toEqual(['Name', 'Ways', 'Other', 'Message', 'Note']);
  expect(fromEntries(definition, filledEntries)).toEqual(filled);
});

test('validation stops at the first invalid field, with the words of the spec', () => {
  expect(validateAnswers(definition, initialAnswers(definition), text)).toEqual({
    key: 'Name',
    message: 'Name is required',
  });
  expect(validateAnswers(definition, { ...filled, Ways: [], Message: '' }, text)?.message).toBe(
    'Ways is required',
  );
});

test.each([
  ['Name', '   '],
  ['Name', '\n\t\u00a0'],
  ['Ways', []],
  ['Message', ''],
])('a required %s that is %j is empty', (key, value) => {
  expect(validateAnswers(definition, { ...filled, [key]: value }, text)?.key).toBe(key);
});

test('an unticked box and an empty optional field are valid', () => {
  expect(validateAnswers(definition, filled, text)).toBeNull();
});

test.each<[string, unknown, string]>([
  ['Name', true, 'must be text'],
  ['Name', ['Sample'], 'must be text'],
  ['Name', 'x'.repeat(fieldTypes.text.maxLength + 1), 'is longer than 500 characters'],
  ['Message', 'x'.repeat(fieldTypes.textarea.maxLength + 1), 'is longer than 10000 characters'],
  ['Ways', 'Email', 'must be a list of choices'],
  ['Ways', ['Fax'], 'has a choice that is not offered'],
  ['Ways', ['Email', 'Email'], 'has a choice twice'],
  ['Other', 'yes', 'must be true or false'],
])('%s cannot hold %j', (key, value, message) => {
  const entries = filledEntries.map((entry) => (entry.key === key ? { key, value } : entry));
  const result = checkEntries(definition, entries, text);
  expect(result.ok ? '' : result.problem.message).toContain(message);
});

test('an answer to a question that the form does not ask is refused, and so is a second answer to one', () => {
  expect(checkEntries(definition, [...filledEntries, { key: 'constructor', value: '' }], text).ok).toBe(
    false,
  );
  expect(checkEntries(definition, [...filledEntries, { key: 'Note', value: '' }], text).ok).toBe(false);
});

test('a question without an entry has its initial value', () => {
  const result = checkEntries(
    definition,
    filledEntries.filter(({ key }) => key !== 'Note' && key !== 'Other'),
    text,
  );
  expect(result).toEqual({ ok: true, answers: filled });
});
