import { expect, test } from 'vitest';
import { formQueries, submitMutations } from '../../model/operations.ts';
import { createDocuments } from './documents.ts';

const variables = '($fields: [AnswerInput!]!, $recaptchaToken: String!)';
const given = '(fields: $fields, recaptchaToken: $recaptchaToken)';

test('the documents of the site’s own pages are parsed once', () => {
  const documents = createDocuments();
  for (const text of [...Object.values(formQueries), ...Object.values(submitMutations)])
    expect(documents.read(text)).toBe(documents.read(text));
});

test('a document in another wording may have an answer in it, and is not stored', () => {
  const documents = createDocuments();
  const text = `mutation M${variables} { submitHelpRequest${given} { reference } } # He took my phone`;
  expect(documents.read(text)).toMatchObject({ operationName: 'M', isMutation: true });
  expect(documents.read(text)).not.toBe(documents.read(text));
});

test.each([
  'mutation { __typename }',
  `mutation M${variables} { submitHelpRequest${given} @skip(if: true) { reference } }`,
  `mutation M${variables} { submitHelpRequest${given} { reference } }`,
  formQueries.help,
])('only what a page of this site sends counts as its submission (%#)', (text) => {
  const documents = createDocuments();
  expect(documents.isOwnSubmission(submitMutations.help)).toBe(true);
  documents.read(text);
  expect(documents.isOwnSubmission(text)).toBe(false);
});

test('a document with too many tokens is not parsed to its end', () => {
  expect(() => createDocuments().read(`{${'a '.repeat(1_500)}}`)).toThrow(/token/);
  expect(() => createDocuments().read(`${'['.repeat(2_000)}`)).toThrow();
});
