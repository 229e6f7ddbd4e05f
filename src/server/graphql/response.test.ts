import { expect, test } from 'vitest';
import { sampleEntries, shippedContent } from '../../../test/support/forms.ts';
import { prepareRoute } from '../../../test/support/graphql-route.ts';
import { formQueries, submitMutations } from '../../model/operations.ts';

const newer = 'application/graphql-response+json';
/** As GraphQL clients send it. */
const browser = `${newer}, application/json`;

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['text/html', 'application/json'],
  [newer, newer],
  ['Application/GraphQL-Response+JSON; charset=utf-8', newer],
  [browser, newer],
])('a client that accepts %s gets %s', async (accept, type) => {
  const { post } = prepareRoute();
  for (let round = 0; round < 2; round++) {
    const response = await post({ query: formQueries.help }, accept);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(response.json().data.getHelpForm).toHaveLength(shippedContent.forms.help.definition.length);
  }
});

test.each([
  ['does not parse', { query: '{' }],
  ['is not valid', { query: '{ nothing }' }],
  ['has no operation of that name', { query: formQueries.help, operationName: 'other' }],
  ['lacks a variable', { query: 'query Q($on: Boolean!) { getHelpForm { key @include(if: $on) } }' }],
])(
  'a document that %s is a 400, and a 200 for a client that accepts only application/json',
  async (_what, payload) => {
    const { post } = prepareRoute();
    for (const [accept, status] of [
      [undefined, 400],
      ['*/*', 400],
      [browser, 400],
      ['application/json', 200],
    ] as const) {
      const response = await post(payload, accept);
      expect(response.statusCode).toBe(status);
      expect(response.json()).toEqual({ errors: [{ message: expect.any(String) }] });
    }
  },
);

test('answers that no form can hold are a 400 only for a client that accepts the newer media type', async () => {
  const { post } = prepareRoute();
  const payload = { query: submitMutations.help, variables: { fields: 'none', recaptchaToken: 'x' } };
  expect((await post(payload, undefined)).statusCode).toBe(200);
  expect((await post(payload, 'application/json')).statusCode).toBe(200);
  const response = await post(payload, browser);
  expect(response.statusCode).toBe(400);
  expect(response.json().errors[0].extensions.code).toBe('BAD_ANSWERS');
});

test('a limit is a 429 with the right Retry-After, in either media type', async () => {
  const { post } = prepareRoute({
    submitForm: async () => ({ ok: false, code: 'RATE_LIMITED', message: 'Later', retryAfterSeconds: 417 }),
  });
  const payload = {
    query: submitMutations.help,
    variables: { fields: sampleEntries.help, recaptchaToken: 'x' },
  };
  for (const accept of [undefined, browser]) {
    const response = await post(payload, accept);
    expect(response.statusCode).toBe(429);
    expect(response.headers['retry-after']).toBe('417');
    expect(response.json().errors[0].extensions.code).toBe('RATE_LIMITED');
  }
});
