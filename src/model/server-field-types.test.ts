import { expect, test } from 'vitest';
import type { AnswerValue } from './field-types.ts';
import type { FormField } from './form-field.ts';
import { describeAnswer } from './server-field-types.ts';

const fieldOf = (type: string) =>
  ({ type, key: 'Key', displayName: 'Name', description: '', required: false }) as FormField;

test.each<[type: string, value: AnswerValue | undefined, described: string | null]>([
  ['text', ' ', null],
  ['text', undefined, null],
  ['boolean', false, null],
  ['a type of a newer version', '2026-11-18', '2026-11-18'],
  ['a type of a newer version', ['One', 'Two'], 'One\nTwo'],
  ['constructor', true, 'Yes'],
  ['boolean', 'not a boolean', 'not a boolean'],
  ['checkbox', 'not a list', 'not a list'],
])('the answer to %s, %j, is shown to staff as %j', (type, value, described) => {
  expect(describeAnswer(fieldOf(type), value)).toBe(described);
});
