import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { inject, prepareApp } from '../../../test/support/app.ts';
import { sampleEntries, shippedContent, withAnswer } from '../../../test/support/forms.ts';
import { mintToken, solve } from '../../../test/support/tokens.ts';
import type { FieldOf } from '../../model/field-types.ts';
import { formQueries, submitMutations } from '../../model/operations.ts';

test('getHelpForm gives every field, with choices on checkbox fields alone', async () => {
  const { app } = await prepareApp();
  const { data, errors } = await inject(app, formQueries.help);
  expect(errors).toBeUndefined();
  // What a question means to us is ours to know, what its choices do, and when it is shown.
  type Wide = FieldOf<'checkbox'> & Pick<FieldOf<'boolean'>, 'means'>;
  const fields = (shippedContent.forms.help.definition as Wide[]).map(
    ({ means: _means, meanings: _meanings, shown: _shown, ...field }) => {
      const choices = field.choices ?? null;
      return { ...field, choices, choiceLabels: choices };
    },
  );
  expect(data.getHelpForm).toEqual(fields);
});

test.each(['help', 'contact'] as const)('a %s form with a solved challenge gets a receipt', async (form) => {
  const { app } = await prepareApp();
  const challenge = (await app.inject('/bot-check/challenge')).json();
  const variables = { fields: sampleEntries[form], recaptchaToken: await solve(challenge) };
  const { data, response } = await inject(app, submitMutations[form], variables);
  expect(Object.values(data)[0]).toEqual({
    reference: expect.stringMatching(/^.{4}-.{4}$/),
    receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
  });
  expect(response.headers['cache-control']).toBe('no-store');
});

test('without a valid token nothing is stored', async () => {
  const { app } = await prepareApp();
  for (const recaptchaToken of [
    '',
    'made up',
    await mintToken({ secret: 'not the secret of this server, no' }),
  ]) {
    const { errors } = await inject(app, submitMutations.help, {
      fields: sampleEntries.help,
      recaptchaToken,
    });
    expect(errors[0].extensions.code).toBe('BOT_CHECK_FAILED');
  }
  const { errors } = await inject(app, submitMutations.help, { fields: sampleEntries.help });
  expect(errors[0].extensions.code).toBe('BOT_CHECK_FAILED');
});

test.each<[unknown, string]>([
  [withAnswer(sampleEntries.help, 'FirstName', ' '), 'First name is required'],
  [withAnswer(sampleEntries.help, 'SafeContact', []), 'A safe way to reach you is required'],
  [withAnswer(sampleEntries.help, 'Secret', 'x'), 'There is an answer to a question this form does not ask'],
  [withAnswer(sampleEntries.help, 'Subject', 7), 'An answer is a string, a boolean, or a list of strings'],
  [
    withAnswer(sampleEntries.help, 'Subject', { $ne: '' }),
    'An answer is a string, a boolean, or a list of strings',
  ],
  [
    withAnswer(sampleEntries.help, 'Subject', [['x']]),
    'An answer is a string, a boolean, or a list of strings',
  ],
  ['FirstName', 'The answers are not a list of keys and values'],
  [null, 'The answers are not a list of keys and values'],
])('bad answers are BAD_ANSWERS (%#)', async (fields, message) => {
  const { app } = await prepareApp();
  for (let round = 0; round < 3; round++) {
    const variables = { fields, recaptchaToken: await mintToken() };
    const { errors, response } = await inject(app, submitMutations.help, variables);
    expect(errors).toEqual([{ message, extensions: { code: 'BAD_ANSWERS' } }]);
    expect(response.statusCode).toBe(200);
  }
});

test('nothing but one operation as a JSON post is answered', async () => {
  const { app } = await prepareApp();
  const post = (payload: string, type: string) =>
    app.inject({ method: 'POST', url: '/graphql', payload, headers: { 'content-type': type } });
  const body = JSON.stringify({ query: formQueries.help });
  expect((await app.inject(`/graphql?query=${encodeURIComponent(formQueries.help)}`)).statusCode).toBe(404);
  expect((await post(body, 'text/plain')).statusCode).toBe(415);
  expect((await post(`query=${formQueries.help}`, 'application/x-www-form-urlencoded')).statusCode).toBe(415);
  expect((await post(formQueries.help, 'application/graphql')).statusCode).toBe(415);
  expect((await post(`[${body},${body}]`, 'application/json')).statusCode).toBe(400);
  expect((await post('{"query":', 'application/json')).statusCode).toBe(400);
  expect((await post('', 'application/json')).statusCode).toBe(400);
  expect((await post(JSON.stringify({ query: ' '.repeat(70_000) }), 'application/json')).statusCode).toBe(
    413,
  );
  expect((await post(body, 'application/json; charset=utf-8')).statusCode).toBe(200);
});

test.each([
  ['introspection in full', getIntrospectionQuery()],
  ['a long document', `{ getHelpForm { key ${' '.repeat(5_000)} } }`],
  ['repeated fields', `{ getHelpForm { ${'key '.repeat(60)} } }`],
  [
    '__typename under many names',
    `{ ${Array.from({ length: 6 }, (_, n) => `a${n}: __typename`).join(' ')} }`,
  ],
  ['fields in fragments', `{ ${'...F '.repeat(9)} } fragment F on Query { getHelpForm { key } }`],
  ['deep nesting', `{ getHelpForm { ...on FormField { ...on FormField { ...on FormField { key } } } } }`],
  ['two operations', 'query A { getHelpForm { key } } query B { getContactForm { key } }'],
  ['two submissions', 'mutation { a: submitHelpRequest { reference } b: submitHelpRequest { reference } }'],
  ['a spread submission', 'mutation { ...M } fragment M on Mutation { submitHelpRequest { reference } }'],
  ['a syntax error', '{ getHelpForm {'],
  ['an unknown field', '{ getHelpForm { answers } }'],
])('%s is refused', async (_what, query) => {
  const { app } = await prepareApp();
  const response = await app.inject({ method: 'POST', url: '/graphql', payload: { query } });
  expect(response.json().errors).not.toHaveLength(0);
  expect(response.json().data ?? null).toBeNull();
  expect(response.statusCode).toBeLessThan(500);
});

test.each([
  '{ __schema { queryType { name } } }',
  '{ getHelpForm { key } __schema { types { name } } }',
  'query Q { ...F } fragment F on Query { hidden: __schema { types { name } } }',
  'mutation { __schema { types { name } } }',
])('the schema is not revealed: %s', async (query) => {
  const { app } = await prepareApp();
  for (let round = 0; round < 2; round++) {
    const { response } = await inject(app, query);
    expect(response.body).not.toMatch(/FormField|"Query"/);
    expect(response.json().errors).toHaveLength(1);
  }
});

test('no type can be looked up by its name', async () => {
  const { app } = await prepareApp();
  const fields = '{ name fields { name } }';
  for (const query of [
    `{ one: __type(name: "Query") ${fields} }`,
    `query Q($name: String!) { one: __type(name: $name) ${fields} }`,
    `query Q($name: String!) { ...F } fragment F on Query { one: __type(name: $name) ${fields} }`,
  ])
    for (let round = 0; round < 2; round++)
      expect((await inject(app, query, { name: 'Query' })).response.json()).toEqual({ data: { one: null } });
});

test('an error about a mistyped name suggests no name of the schema', async () => {
  const { app } = await prepareApp();
  const { response } = await inject(app, '{ getHelpForms { key } }');
  expect(response.json().errors).toHaveLength(1);
  expect(response.body).not.toMatch(/mean|"getHelpForm"/);
});

test('an internal error is masked in the response, and logged without its message', async () => {
  const { app, logged } = await prepareApp({
    submitForm: () => Promise.reject(new Error('row with the answer CANARY')),
  });
  const variables = { fields: sampleEntries.help, recaptchaToken: 'x' };
  const { errors, response } = await inject(app, submitMutations.help, variables);
  expect(errors).toEqual([{ message: 'Something went wrong' }]);
  expect(response.body + logged.join('')).not.toContain('CANARY');
  expect(logged.join('')).toContain('"event":"graphql failed"');
});

test('a store that is away is a 503 that says when to come back', async () => {
  const { app } = await prepareApp({
    submitForm: async () => ({ ok: false, code: 'UNAVAILABLE', message: 'Later' }),
  });
  const variables = { fields: sampleEntries.help, recaptchaToken: 'x' };
  const { errors, response } = await inject(app, submitMutations.help, variables);
  expect(errors[0].extensions.code).toBe('UNAVAILABLE');
  expect(response.statusCode).toBe(503);
  expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
});
