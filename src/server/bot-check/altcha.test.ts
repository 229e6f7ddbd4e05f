import { expect, test } from 'vitest';
import { mintToken, readToken, solve, testSecret, writeToken } from '../../../test/support/tokens.ts';
import { createAltcha } from './altcha.ts';

const altcha = createAltcha(testSecret);

test('a challenge that was solved is a clean check', async () => {
  const challenge = await altcha.createChallenge();
  expect(await altcha.verify(await solve(challenge))).toEqual({ ok: true, verdict: { kind: 'clean' } });
});

test('a challenge has an expiry and an action, and both are signed', async () => {
  const { parameters } = await altcha.createChallenge();
  expect(parameters.data).toEqual({ action: 'submit' });
  expect(parameters.expiresAt).toBeGreaterThan(Date.now() / 1000);

  const late = createAltcha(testSecret, () => new Date(Date.now() + 2 * 3_600_000));
  expect(await late.verify(await mintToken())).toMatchObject({ ok: false });

  const spliced = readToken(await mintToken({ expiresAt: new Date(Date.now() - 1_000) }));
  spliced.challenge.parameters.expiresAt += 10_000;
  expect(await altcha.verify(writeToken(spliced))).toMatchObject({ ok: false });
});

test('another action, another secret, a wrong solution and nonsense are refused', async () => {
  expect(await altcha.verify(await mintToken({ action: 'login' }))).toMatchObject({ ok: false });
  expect(
    await altcha.verify(await mintToken({ secret: 'somebody else, who is guessing at it' })),
  ).toMatchObject({ ok: false });

  const wrong = readToken(await mintToken());
  wrong.solution.derivedKey = wrong.solution.derivedKey.replace(/^./, (digit: string) =>
    digit === '0' ? '1' : '0',
  );
  expect(await altcha.verify(writeToken(wrong))).toMatchObject({ ok: false });

  for (const token of [
    '',
    'x',
    writeToken(null),
    writeToken({}),
    writeToken({ challenge: {}, solution: {} }),
    '{"a":1}',
  ]) {
    expect(await altcha.verify(token)).toMatchObject({ ok: false });
    expect(altcha.identify(token)).toBeNull();
  }
});

test('one solved challenge is one token, however it is written down', async () => {
  const token = await mintToken();
  const payload = readToken(token);
  const disguised = writeToken({ extra: 'words', ...payload, solution: { ...payload.solution, time: 99 } });
  expect(await altcha.verify(disguised)).toMatchObject({ ok: true });
  expect(altcha.identify(disguised)).toBe(altcha.identify(token));
  expect(altcha.identify(await mintToken())).not.toBe(altcha.identify(token));
});

test('with a new secret challenges of the old one are still accepted, and those of other secrets are not', async () => {
  const own = createAltcha('the secret this server began with, alone');
  const other = createAltcha('the secret that all servers have in common');
  const before = await solve(await own.createChallenge());
  expect(await other.verify(before)).toMatchObject({ ok: false });
  own.setSecret('the secret that all servers have in common');
  const after = await solve(await own.createChallenge());
  expect(await own.verify(before)).toMatchObject({ ok: true });
  expect(await own.verify(after)).toMatchObject({ ok: true });
  expect(await other.verify(after)).toMatchObject({ ok: true });
});
