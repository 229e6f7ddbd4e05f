import { expect, test, vi } from 'vitest';
import { startSiteverify } from '../../../test/support/fake-siteverify.ts';
import { createRecaptcha } from './recaptcha.ts';

async function prepare() {
  const google = await startSiteverify();
  const onUnverified = vi.fn();
  const options = { siteKey: 'site', secretKey: 'secret', hostname: 'www.kowhai.example', onUnverified };
  return { google, onUnverified, recaptcha: createRecaptcha({ ...options, url: google.url }) };
}
const genuine = { success: true, score: 0.9, action: 'submit', hostname: 'www.kowhai.example' };
const unverified = { ok: true, verdict: { kind: 'unverified' } };

test('Google is asked with the secret and the token, and with nothing about the visitor', async () => {
  const { google, recaptcha } = await prepare();
  expect(await recaptcha.verify('token')).toEqual({ ok: true, verdict: { kind: 'clean' } });
  expect(google.asked.map(String)).toEqual(['secret=secret&response=token']);
});

test('a low score is passed on and never refused', async () => {
  const { google, recaptcha } = await prepare();
  google.answer = { ...genuine, score: 0.3 };
  expect(await recaptcha.verify('token')).toEqual({ ok: true, verdict: { kind: 'low-score', score: 0.3 } });
});

test.each([
  ['a token for another action', { ...genuine, action: 'login' }, 'elsewhere'],
  ['a token of another site', { ...genuine, hostname: 'elsewhere.example' }, 'elsewhere'],
  ['a late or spent token', { success: false, 'error-codes': ['timeout-or-duplicate'] }, 'expired'],
  ['a made-up token', { success: false, 'error-codes': ['invalid-input-response'] }, 'forged'],
])('%s is refused', async (_what, answer, reason) => {
  const { google, recaptcha } = await prepare();
  google.answer = answer;
  expect(await recaptcha.verify('token')).toEqual({ ok: false, reason });
});

test('what cannot be a token of Google’s is refused without a request to Google', async () => {
  const { google, recaptcha } = await prepare();
  const like = `03${'AGdBq25-_x'.repeat(200)}`;
  for (const token of [
    '',
    ' ',
    `${like} `,
    `${like}\n`,
    'a&secret=b',
    'He took my phone',
    'ā',
    `${like}=`,
    'a'.repeat(8_193),
  ]) {
    expect(recaptcha.identify(token)).toBeNull();
    expect(await recaptcha.verify(token)).toEqual({ ok: false, reason: 'malformed' });
  }
  expect(google.asked).toEqual([]);
  expect(recaptcha.identify(like)).toBe(like);
  expect(await recaptcha.verify(like)).toMatchObject({ ok: true });
  expect(google.asked).toHaveLength(1);
});

test.each([
  ['over its quota', 429, 'HTTP 429'],
  ['failing', 500, 'HTTP 500'],
  ['speaking in riddles', { yes: true }, 'ZodError'],
  [
    'unhappy with our keys',
    { success: false, 'error-codes': ['invalid-input-secret'] },
    'invalid-input-secret',
  ],
])('a Google that is %s costs nobody their request', async (_what, answer, reason) => {
  const { google, onUnverified, recaptcha } = await prepare();
  google.answer = answer;
  expect(await recaptcha.verify('token')).toEqual(unverified);
  expect(onUnverified).toHaveBeenCalledWith(reason);
});

test('a Google that is silent or unreachable costs nobody their request', async () => {
  const { google, recaptcha } = await prepare();
  google.answer = 'silence';
  expect(await recaptcha.verify('token')).toEqual(unverified);
  const nowhere = {
    siteKey: 's',
    secretKey: 's',
    url: 'http://127.0.0.1:9',
    hostname: 'h',
    onUnverified: () => {},
  };
  expect(await createRecaptcha(nowhere).verify('token')).toEqual(unverified);
});

test('a token that passed is remembered, because Google accepts it once and a phone may resend', async () => {
  const { google, recaptcha } = await prepare();
  await recaptcha.verify('token');
  google.answer = { success: false, 'error-codes': ['timeout-or-duplicate'] };
  expect(await recaptcha.verify('token')).toMatchObject({ ok: true });
  expect(google.asked).toHaveLength(1);
});
