import { expect, test } from 'vitest';
import { formQueries, submitMutations } from '../../model/operations.ts';
import { createDocuments } from './documents.ts';

const variables = '($fields: [AnswerInput!]!, $recaptchaToken: String!)';
const given = '(fields: $fields, recaptchaToken: $recaptchaToken)';
const someQuery = (n: number) => `query Number${n} { getHelpForm { key } }`;

test('a document is read once', () => {
  const documents = createDocuments();
  expect(documents.find(someQuery(1))).toBeUndefined();
  const read = documents.read(someQuery(1));
  expect(documents.find(someQuery(1))).toBe(read);
  expect(read).toMatchObject({ operationName: 'Number1', isMutation: false, hasVariables: false });
});

test("however many are read, a bounded number stays, and the site's own always do", () => {
  const documents = createDocuments();
  for (let n = 0; n < 1_000; n++) documents.read(someQuery(n));
  const kept = Array.from({ length: 1_000 }, (_, n) => documents.find(someQuery(n))).filter(Boolean);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.length).toBeLessThan(100);
  for (const text of [...Object.values(formQueries), ...Object.values(submitMutations)]) {
    expect(documents.find(text)).toBeDefined();
  }
});

test('what is in use stays longer than what is not', () => {
  const documents = createDocuments();
  const used = documents.read(someQuery(0));
  for (let n = 1; n < 500; n++) {
    documents.read(someQuery(n));
    expect(documents.find(someQuery(0))).toBe(used);
  }
});

test('a bad document is as bad the second time, and not kept', () => {
  const documents = createDocuments();
  for (const text of [
    '{',
    '{ nothing }',
    '{ getHelpForm }',
    '',
    'fragment F on Query { getHelpForm { key } }',
  ]) {
    for (let round = 0; round < 3; round++) expect(() => documents.read(text)).toThrow();
    expect(documents.find(text)).toBeUndefined();
  }
});

test('another way to write a submission is known from its second use on', () => {
  const documents = createDocuments();
  const text = `mutation M${variables} { sent: submitContactRequest${given} { reference } }`;
  expect(documents.find(text)).toBeUndefined();
  documents.read(text);
  expect(documents.find(text)?.isMutation).toBe(true);
});

test.each([
  'mutation { __typename }',
  `mutation M${variables} { submitHelpRequest${given} @skip(if: true) { reference } }`,
])('what would not meet the bot check is not kept (%#)', (text) => {
  const documents = createDocuments();
  expect(documents.read(text).isMutation).toBe(true);
  expect(documents.find(text)).toBeUndefined();
});

const written = '[{ key: "Message", value: "He took my phone" }]';
test.each([
  [
    'an argument',
    `mutation M($t: String!) { submitHelpRequest(fields: ${written}, recaptchaToken: $t) { reference } }`,
  ],
  [
    'a default value',
    `mutation M($fields: [AnswerInput!]! = ${written}, $recaptchaToken: String!) { submitHelpRequest${given} { reference } }`,
  ],
  [
    'a default value of a variable inside an answer',
    'mutation M($word: AnswerValue! = "He took my phone", $t: String!) { submitHelpRequest(fields: [{ key: "Message", value: $word }], recaptchaToken: $t) { reference } }',
  ],
  ['a default value of a query', 'query Q($on: Boolean! = true) { getHelpForm { key @include(if: $on) } }'],
  ['a directive', 'query Q { getHelpForm { key @include(if: true) } }'],
  ['a name that is asked for', 'query Q { __type(name: "He took my phone") { name } }'],
  ['a comment', `mutation M${variables} { submitHelpRequest${given} { reference } } # He took my phone`],
])('a document with a value in its text is not kept: %s', (_where, text) => {
  const documents = createDocuments();
  documents.read(text);
  expect(documents.find(text)).toBeUndefined();
});

test('a document of tokens without end is not read to its end', () => {
  expect(() => createDocuments().read(`{${'a '.repeat(1_500)}}`)).toThrow(/token/);
  expect(() => createDocuments().read(`${'['.repeat(2_000)}`)).toThrow();
});
