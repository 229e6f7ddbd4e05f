import { execute } from 'graphql';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sampleEntries, withAnswer } from '../../../test/support/forms.ts';
import { prepareRoute } from '../../../test/support/graphql-route.ts';
import type { FormName } from '../../model/form-field.ts';
import { submitMutations } from '../../model/operations.ts';
import { createClientLimits } from '../http/client-limits.ts';
import type { SubmitForm } from '../submissions/submit.ts';

vi.mock('graphql', { spy: true });
beforeEach(() => void vi.mocked(execute).mockClear());

/** The same document to graphql, and not one that our pages send. */
const spelt = (form: FormName) => `${submitMutations[form]} `;

/** Posts it as our pages write it or otherwise, and tells all that came of it. */
async function sendTo(way: 'own' | 'other', form: FormName, rest: object, submitForm?: SubmitForm) {
  const metrics = { onRefused: vi.fn() };
  const allowGraphql = vi.fn(() => null);
  const route = prepareRoute({ metrics, allowGraphql, ...(submitForm ? { submitForm } : {}) });
  // From its second time on it is known as a submission, as our own are from the first.
  await route.post({ query: spelt(form), variables: {} });
  for (const mock of [allowGraphql, route.quota.countJunk]) mock.mockClear();
  vi.mocked(execute).mockClear();
  const results = [];
  for (const accept of [undefined, 'application/json', 'application/graphql-response+json']) {
    const query = way === 'own' ? submitMutations[form] : spelt(form);
    const { statusCode, headers, body } = await route.post({ query, ...rest }, accept);
    const { date: _date, ...lasting } = headers;
    results.push({ statusCode, headers: lasting, body });
  }
  const asked = submitForm ? vi.mocked(submitForm) : route.submitForm;
  const effects = [asked, metrics.onRefused, allowGraphql, route.quota.countJunk].map(({ mock }) =>
    mock.calls.map(inWords),
  );
  return { results, effects, executed: vi.mocked(execute).mock.calls.length };
}
/** What can be said of it: the functions of two senders are never the same, nor are two requests. */
const inWords = (given: unknown[]) => given.map((one) => JSON.stringify(isRequest(one) ? null : one));
const isRequest = (given: unknown) => typeof given === 'object' && given !== null && 'raw' in given;

const help = { fields: sampleEntries.help, recaptchaToken: 'x' };
const [first] = sampleEntries.help;
const inFirst = (entry: unknown) => ({ variables: { ...help, fields: [entry, ...help.fields.slice(1)] } });
const answering = (value: unknown) => ({
  variables: { ...help, fields: withAnswer(help.fields, 'Message', value) },
});
const choices = (count: number) => ({ key: 'SafeContact', value: Array(count).fill('Email') });

describe('a form that is sent as our pages send it is answered as graphql-js would, without it', () => {
  test.each<[string, object]>([
    ['whole', { variables: help }],
    ['with the name of its operation', { variables: help, operationName: 'submitHelpRequest' }],
    ['with no name', { variables: help, operationName: null, extensions: {} }],
    ['with no answers', { variables: { ...help, fields: [] } }],
    ['with an empty token', { variables: { ...help, recaptchaToken: '' } }],
    ['other way round', { variables: { recaptchaToken: 'x', fields: help.fields.toReversed() } }],
    ['with its value before its key', inFirst({ value: 'Sample', key: 'FirstName' })],
    ['with an answer twice', { variables: { ...help, fields: [first, first] } }],
    ['with an answer to no question', inFirst({ key: 'constructor', value: 'x' })],
    ['with no choices', answering([])],
    ['with many answers', { variables: { ...help, fields: [choices(1_995)] } }],
  ])('%s', async (_what, rest) => {
    const own = await sendTo('own', 'help', rest);
    const other = await sendTo('other', 'help', rest);
    expect([own.executed, other.executed]).toEqual([0, 3]);
    expect(own.results).toEqual(other.results);
    expect(own.effects).toEqual(other.effects);
    expect(own.results[0]).toMatchObject({ statusCode: 200, body: expect.stringContaining('AAAA-2222') });
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
      expect([own.executed, other.executed]).toEqual([0, 3]);
      expect(own.results).toEqual(other.results);
      expect(own.effects).toEqual(other.effects);
      expect(own.results[0]?.body).toContain('"errors":[{');
      expect(own.results[0]?.body).not.toContain('secret');
    }
  });
});

describe('what is not quite that is for graphql-js to judge', () => {
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

test('forms sent in either way fill the same line, and the same measure of junk', async () => {
  const refused: SubmitForm = async (_form, _entries, _token, quota) => {
    const retryAfterSeconds = quota.countJunk();
    if (retryAfterSeconds === null) return { ok: false, code: 'BOT_CHECK_FAILED', message: 'Again' };
    return { ok: false, code: 'RATE_LIMITED', message: 'Later', retryAfterSeconds };
  };
  const { quotaOf, allowGraphql } = createClientLimits({ random: () => 0 });
  const { post } = prepareRoute({ quotaOf, allowGraphql, submitForm: refused });
  const codes: string[] = [];
  for (let round = 0; round < 31; round++)
    for (const query of [submitMutations.help, spelt('help')])
      codes.push((await post({ query, variables: help })).json().errors[0].extensions.code);
  expect(codes.slice(0, 60).every((code) => code === 'BOT_CHECK_FAILED')).toBe(true);
  expect(codes.slice(60)).toEqual(['RATE_LIMITED', 'RATE_LIMITED']);
});
