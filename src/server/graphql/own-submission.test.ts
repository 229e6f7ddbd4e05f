import { execute } from 'graphql';
import { describe, expect, test, vi } from 'vitest';
import { sampleEntries, withAnswer } from '../../../test/support/forms.ts';
import { prepareRoute } from '../../../test/support/graphql-route.ts';
import type { FormName } from '../../model/form-field.ts';
import { formQueries, submitMutations, withoutLanguage } from '../../model/operations.ts';
import type { SubmitForm } from '../submissions/submit.ts';

vi.mock('graphql', { spy: true });

/** The same document to graphql-js, and not one that the site's pages send. */
const spelt = (form: FormName) => `${submitMutations[form]} `;

/** Posts the form as the site's pages write it or otherwise, and returns the response and what it caused. */
async function sendTo(way: 'own' | 'other', form: FormName, rest: object, submit?: SubmitForm) {
  const metrics = { onRefused: vi.fn() };
  const route = prepareRoute({ metrics, ...(submit ? { submitForm: submit } : {}) });
  vi.mocked(execute).mockClear();
  const query = way === 'own' ? submitMutations[form] : spelt(form);
  const { statusCode, headers, body } = await route.post({ query, ...rest });
  const { date: _date, ...lasting } = headers;
  const submitForm = submit ? vi.mocked(submit) : route.submitForm;
  const effects = [submitForm, metrics.onRefused, route.quota.countJunk].map(({ mock }) =>
    JSON.stringify(mock.calls),
  );
  return { statusCode, body, headers: lasting, effects, executed: vi.mocked(execute).mock.calls.length };
}

const help = { fields: sampleEntries.help, recaptchaToken: 'x' };
const [first] = sampleEntries.help;
const inFirst = (entry: unknown) => ({ variables: { ...help, fields: [entry, ...help.fields.slice(1)] } });
const answering = (value: unknown) => ({
  variables: { ...help, fields: withAnswer(help.fields, 'Message', value) },
});
const choices = (count: number) => ({ key: 'SafeContact', value: Array(count).fill('Email') });

describe('a form as the site’s pages send it gets the response of graphql-js, without graphql-js', () => {
  test.each<[string, object]>([
    ['whole', { variables: help }],
    ['with the name of its operation', { variables: help, operationName: 'submitHelpRequest' }],
    ['with no name', { variables: help, operationName: null, extensions: {} }],
    ['with no answers', { variables: { ...help, fields: [] } }],
    ['with an empty token', { variables: { ...help, recaptchaToken: '' } }],
    ['other way round', { variables: { recaptchaToken: 'x', fields: help.fields.toReversed() } }],
    ['with an answer twice', { variables: { ...help, fields: [first, first] } }],
    ['with an answer to no question', inFirst({ key: 'constructor', value: 'x' })],
    ['with no choices', answering([])],
    ['with many answers', { variables: { ...help, fields: [choices(1_995)] } }],
    ['with a language', { variables: { ...help, language: 'mi' } }],
    ['with no language', { variables: { ...help, language: null } }],
  ])('%s', async (_what, rest) => {
    const own = await sendTo('own', 'help', rest);
    const other = await sendTo('other', 'help', rest);
    expect([own.executed, other.executed]).toEqual([0, 1]);
    expect(own).toEqual({ ...other, executed: 0 });
    expect(own).toMatchObject({ statusCode: 200, body: expect.stringContaining('AAAA-2222') });
  });

  test.each<[string, SubmitForm]>([
    ['not passed', async () => ({ ok: false, code: 'BOT_CHECK_FAILED', message: 'Again, please' })],
    ['wrong', async () => ({ ok: false, code: 'BAD_ANSWERS', message: 'Subject is required' })],
    ['too many', async () => ({ ok: false, code: 'RATE_LIMITED', message: 'Later', retryAfterSeconds: 41 })],
    ['not kept', async () => ({ ok: false, code: 'UNAVAILABLE', message: 'We could not' })],
    ['a fault of ours', () => Promise.reject(new TypeError('a secret of ours'))],
  ])('%s', async (_what, submitForm) => {
    for (const form of ['help', 'contact'] as const) {
      const rest = { variables: { ...help, fields: sampleEntries[form] } };
      const own = await sendTo('own', form, rest, vi.fn(submitForm));
      const other = await sendTo('other', form, rest, vi.fn(submitForm));
      expect([own.executed, other.executed]).toEqual([0, 1]);
      expect(own).toEqual({ ...other, executed: 0 });
      expect(own.body).toContain('"errors":[{');
      expect(own.body).not.toContain('secret');
    }
  });
});

describe('anything else is for graphql-js to judge', () => {
  test.each<[string, object]>([
    ['no variables', {}],
    ['none at all', { variables: null }],
    ['no token', { variables: { fields: help.fields } }],
    ['a token that is null', { variables: { ...help, recaptchaToken: null } }],
    ['a token that is a number', { variables: { ...help, recaptchaToken: 5 } }],
    ['a token in a list', { variables: { ...help, recaptchaToken: ['x'] } }],
    ['no answers', { variables: { recaptchaToken: 'x' } }],
    ['answers that are null', { variables: { ...help, fields: null } }],
    ['answers that are one', { variables: { ...help, fields: first } }],
    ['answers as a map', { variables: { ...help, fields: { 0: first, length: 1 } } }],
    ['answers as text', { variables: { ...help, fields: JSON.stringify(help.fields) } }],
    ['a variable too many', { variables: { ...help, more: 1 } }],
    ['a variable too many beside a language', { variables: { ...help, language: 'mi', more: 1 } }],
    ['a language that is a number', { variables: { ...help, language: 5 } }],
    ['a language in a list', { variables: { ...help, language: ['mi', 'sm'] } }],
    ['an answer that is null', inFirst(null)],
    ['an answer that is text', inFirst('FirstName')],
    ['an answer that is a list', inFirst(['FirstName', 'Sample'])],
    ['an answer that is a list of lists', inFirst([[first]])],
    ['an answer without a key', inFirst({ value: 'Sample' })],
    ['an answer without a value', inFirst({ key: 'FirstName' })],
    ['an answer with more in it', inFirst({ ...first, more: 1 })],
    ['an answer with another key in its place', inFirst({ key: 'FirstName', toString: 'x' })],
    ['a key that is a number', inFirst({ key: 5, value: 'Sample' })],
    ['a key that is a list', inFirst({ key: ['FirstName'], value: 'Sample' })],
    ['a value that is null', answering(null)],
    ['a value that is a number', answering(5)],
    ['a value that is a map', answering({})],
    ['a value that is a list of lists', answering([['x']])],
    ['a value that is a list with a number', answering(['x', 5])],
    ['a value that is a list with nothing', answering([null])],
    ['more than any form asks for', { variables: { ...help, fields: [choices(1_996)] } }],
    ['another name', { variables: help, operationName: 'submitContactRequest' }],
    ['an empty name', { variables: help, operationName: '' }],
  ])('%s', async (_what, rest) => {
    const own = await sendTo('own', 'help', rest);
    const other = await sendTo('other', 'help', rest);
    expect(own).toEqual(other);
  });
});

describe('a page of the version before sends the document without a language', () => {
  const sendOld = async (variables: object, ending = '') => {
    const route = prepareRoute();
    vi.mocked(execute).mockClear();
    const query = withoutLanguage(submitMutations.help) + ending;
    const { statusCode, body } = await route.post({ query, variables });
    return {
      statusCode,
      body,
      given: JSON.stringify(route.submitForm.mock.calls),
      executed: vi.mocked(execute).mock.calls.length,
    };
  };

  test('it is the document that version 1.1 sends', () => {
    expect(withoutLanguage(submitMutations.help)).toBe(
      'mutation submitHelpRequest($fields: [AnswerInput!]!, $recaptchaToken: String!) { submitHelpRequest(fields: $fields, recaptchaToken: $recaptchaToken) { reference receivedAt } }',
    );
    expect(withoutLanguage(formQueries.contact)).toBe(
      'query getContactForm { getContactForm { key type displayName description required choices } }',
    );
  });

  test('it needs no graphql-js either; with a variable that it does not declare, graphql-js judges', async () => {
    const own = await sendOld(help);
    expect(own).toMatchObject({ statusCode: 200, body: expect.stringContaining('AAAA-2222'), executed: 0 });
    expect(await sendOld(help, ' ')).toEqual({ ...own, executed: 1 });
    const undeclared = await sendOld({ ...help, language: 'mi' });
    expect(undeclared).toEqual({ ...own, executed: 1 });
  });
});
