import { expect, test } from 'vitest';
import { formQueries, submitMutations } from '../../model/operations.ts';
import { createDocuments } from './documents.ts';

const variables = '($fields: [AnswerInput!]!, $recaptchaToken: String!)';
const given = '(fields: $fields, recaptchaToken: $recaptchaToken)';
const someQuery = (n: number) => `query Number${n} { getHelpForm { key } }`;

test('a document is parsed once', () => {
  const documents = createDocuments();
  expect(documents.find(someQuery(1))).toBeUndefined();
  const read = documents.read(someQuery(1));
  expect(documents.find(someQuery(1))).toBe(read);
  expect(read).toMatchObject({ operationName: 'Number1', isMutation: false, variableNames: [] });
});

test("however many documents are parsed, a bounded number is cached, and the site's own always are", () => {
  const documents = createDocuments();
  for (let n = 0; n < 1_000; n++) documents.read(someQuery(n));
  const kept = Array.from({ length: 1_000 }, (_, n) => documents.find(someQuery(n))).filter(Boolean);
  expect(kept.length).toBeGreaterThan(10);
  expect(kept.length).toBeLessThan(100);
  for (const text of [...Object.values(formQueries), ...Object.values(submitMutations)]) {
    expect(documents.find(text)).toBeDefined();
  }
});

test('a document in use stays cached longer than an unused one', () => {
  const documents = createDocuments();
  const used = documents.read(someQuery(0));
  for (let n = 1; n < 500; n++) {
    documents.read(someQuery(n));
    expect(documents.find(someQuery(0))).toBe(used);
  }
});

test('a bad document is refused each time, and is not cached', () => {
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

test('a submission in another wording is found from its second use on', () => {
  const documents = createDocuments();
  const text = `mutation M${variables} { sent: submitContactRequest${given} { reference } }`;
  expect(documents.find(text)).toBeUndefined();
  documents.read(text);
  expect(documents.find(text)?.isMutation).toBe(true);
});

test.each([
  'mutation { __typename }',
  `mutation M${variables} { submitHelpRequest${given} @skip(if: true) { reference } }`,
])('a document that never reaches the bot check is not cached (%#)', (text) => {
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
])('a document with a value in its text is not cached: %s', (_where, text) => {
  const documents = createDocuments();
  documents.read(text);
  expect(documents.find(text)).toBeUndefined();
});

test('a document with too many tokens is not parsed to its end', () => {
  expect(() => createDocuments().read(`{${'a '.repeat(1_500)}}`)).toThrow(/token/);
  expect(() => createDocuments().read(`${'['.repeat(2_000)}`)).toThrow();
});
