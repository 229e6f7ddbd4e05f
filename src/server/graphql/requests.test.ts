import { expect, test, vi } from 'vitest';
import { sampleEntries, shippedContent, stillContent } from '../../../test/support/forms.ts';
import { prepareRoute } from '../../../test/support/graphql-route.ts';
import { formQueries, submitMutations } from '../../model/operations.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { GraphqlParts } from './graphql.ts';

const variables = { fields: sampleEntries.help, recaptchaToken: 'x' };

test('a client over its limit is refused before its body is read, except with a form as the site sends it', async () => {
  const allowGraphql = vi.fn<GraphqlParts['allowGraphql']>((_request, known) => (known ? null : 33));
  const { post, submitForm } = prepareRoute({ allowGraphql });
  const others = [
    { query: formQueries.help },
    { query: '{' },
    {},
    { query: `${submitMutations.help} `, variables },
  ];
  for (const payload of others) {
    const response = await post(payload);
    expect(response.statusCode).toBe(429);
    expect(response.headers['retry-after']).toBe('33');
    expect(response.json().errors[0].extensions.code).toBe('RATE_LIMITED');
  }
  expect(submitForm).not.toHaveBeenCalled();
  for (const query of [submitMutations.help, submitMutations.contact]) {
    expect((await post({ query, variables })).json().errors).toBeUndefined();
  }
  expect(submitForm).toHaveBeenCalledTimes(2);
  // Once a request.
  expect(allowGraphql).toHaveBeenCalledTimes(6);
});

test('variables that are no form count as junk, and too much of it is a limit', async () => {
  const { post, quota, submitForm } = prepareRoute();
  const junk = { query: submitMutations.help, variables: { fields: [{}], recaptchaToken: 'x' } };
  expect((await post(junk)).json().errors[0].extensions.code).toBe('BAD_ANSWERS');
  quota.countJunk.mockReturnValue(600);
  const response = await post(junk);
  expect(response.statusCode).toBe(429);
  expect(response.headers['retry-after']).toBe('600');
  expect(quota.countJunk).toHaveBeenCalledTimes(2);
  expect(submitForm).not.toHaveBeenCalled();
  expect((await post({ query: submitMutations.help, variables })).statusCode).toBe(200);
});

test.each([
  ['a list without end', JSON.stringify(Array(5_000).fill({}))],
  ['a list of good answers without end', JSON.stringify(Array(1_200).fill(sampleEntries.help[0]))],
  ['an answer without end', JSON.stringify([{ key: 'SafeContact', value: Array(5_000).fill('Email') }])],
  ['a nest without end', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
])('%s is refused in a few words, each time, and never gets to the answers', async (_what, fields) => {
  const { post, submitForm } = prepareRoute();
  const query = JSON.stringify(submitMutations.help);
  const send = () => post(`{"query":${query},"variables":{"fields":${fields},"recaptchaToken":"x"}}`);
  const first = await send();
  expect(first.body.length).toBeLessThan(200);
  expect(first.json().errors[0].extensions.code).toBe('BAD_ANSWERS');
  for (let round = 0; round < 3; round++) expect((await send()).body).toBe(first.body);
  expect(submitForm).not.toHaveBeenCalled();
});

test('a value is never repeated, nor more than a few words of a document', async () => {
  const { post } = prepareRoute();
  const canary = 'CANARY'.repeat(200);
  for (const payload of [
    { query: submitMutations.help, variables: { fields: [{ key: 'Message', [canary]: 1 }] } },
    { query: submitMutations.help, variables: { fields: canary, recaptchaToken: canary } },
    { query: submitMutations.help, variables: { fields: [], recaptchaToken: [canary] } },
    { query: 'query Q($on: Boolean!) { getHelpForm { key @skip(if: $on) } }', variables: { on: canary } },
  ]) {
    expect((await post(payload)).body).not.toContain('CANARY');
  }
  expect((await post({ query: `{ ${canary} }` })).body.length).toBeLessThan(300);
});

test('the result of a query follows the content', async () => {
  let current = shippedContent;
  const content: ContentSource = { ...stillContent(), current: () => current };
  const { post } = prepareRoute({ content });
  const first = await post({ query: formQueries.contact });
  expect((await post({ query: formQueries.contact })).body).toBe(first.body);
  const { contact } = shippedContent.forms;
  const [field, ...rest] = contact.definition;
  const changed = { ...contact, definition: [{ ...field, displayName: 'Another name' }, ...rest] };
  current = { ...shippedContent, forms: { ...shippedContent.forms, contact: changed as typeof contact } };
  expect((await post({ query: formQueries.contact })).json().data.getContactForm[0].displayName).toBe(
    'Another name',
  );
});
