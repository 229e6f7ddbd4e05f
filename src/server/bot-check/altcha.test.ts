import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { mintToken, readToken, solve, testSecret, writeToken } from '../../../test/support/tokens.ts';
import { createAltcha } from './altcha.ts';

const altcha = createAltcha(testSecret);

test('a challenge that was solved is a clean check', async () => {
  const challenge = await altcha.createChallenge();
  expect(await altcha.verify(await solve(challenge))).toEqual({ ok: true, verdict: { kind: 'clean' } });
});

test('a challenge has an action and lives for an hour, by the clock of this server', async () => {
  const challenge = await altcha.createChallenge();
  expect(challenge.parameters.data).toEqual({ action: 'submit' });
  const token = await solve(challenge);
  const at = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: at + 59 * 60_000 });
  expect(await altcha.verify(token)).toMatchObject({ ok: true });
  vi.setSystemTime(at + 61 * 60_000);
  expect(await altcha.verify(token)).toEqual({ ok: false, reason: 'expired' });
  // The clock that jumped is right again.
  vi.setSystemTime(at);
  expect(await altcha.verify(token)).toMatchObject({ ok: true });
});
afterEach(() => void vi.useRealTimers());

test('another action and another secret are refused', async () => {
  expect(await altcha.verify(await mintToken({ action: 'login' }))).toMatchObject({ reason: 'elsewhere' });
  const guessed = await mintToken({ secret: 'somebody else, who is guessing at it' });
  expect(await altcha.verify(guessed)).toMatchObject({ reason: 'forged' });
});

type Json = Record<string, unknown>;
const encode = (text: string) => Buffer.from(text).toString('base64');

/** Every object in a token, with a way to write the token with that object changed. */
function* places(value: unknown): Generator<[Json, (changed: unknown) => unknown]> {
  if (typeof value !== 'object' || value === null) return;
  const object = value as Json;
  yield [object, (changed) => changed];
  for (const [key, inner] of Object.entries(object))
    for (const [place, write] of places(inner))
      yield [place, (changed) => ({ ...object, [key]: write(changed) })];
}

/** Changes each value to every other kind, leaves it out, and adds what was not signed. */
function* changedInOnePlace(payload: Json): Generator<string> {
  const [nothing, zeros] = [undefined, '0'.repeat(64)];
  for (const [place, write] of places(payload)) {
    for (const [key, value] of Object.entries(place)) {
      // Only the library's own solver reads how long it took.
      if (key === 'time') continue;
      const text = String(value);
      const spelled = [`${text}0`, `${text}\n`, ` ${text}`, text.slice(1), text.replace(/[a-f]/, 'A')];
      for (const other of [nothing, null, true, 0.5, -1, 2 ** 53, '', zeros, [], {}, [value], ...spelled])
        if (other !== value) yield writeToken(write({ ...place, [key]: other }));
    }
    for (const other of [null, 'x', 1, []]) yield writeToken(write(other));
  }
  const json = JSON.stringify(payload);
  for (const key of ['more', 'toJSON', '__proto__', 'hmacAlgorithm', 'memoryCost'])
    for (const start of ['"parameters":{', '"data":{'])
      yield encode(json.replace(start, `${start}"${key}":"x",`));
}

test('a token that was changed in any place is refused', async () => {
  const payload = readToken(await mintToken());
  expect(await altcha.verify(writeToken(payload))).toMatchObject({ ok: true });
  const tokens = [...changedInOnePlace(payload)];
  const verdicts = await Promise.all(tokens.map((token) => altcha.verify(token)));
  expect(tokens.length).toBeGreaterThan(200);
  expect(tokens.filter((_, index) => verdicts[index]?.ok).map(readToken)).toEqual([]);
});

test('a token put together from two good ones is refused', async () => {
  const [one, two] = [readToken(await mintToken()), readToken(await mintToken())];
  const { challenge, solution } = one;
  const mixed = [
    { challenge, solution: two.solution },
    { challenge: { ...challenge, signature: two.challenge.signature }, solution },
    ...['keySignature', 'nonce', 'salt', 'keyPrefix'].map((key) => ({
      challenge: {
        ...challenge,
        parameters: { ...challenge.parameters, [key]: two.challenge.parameters[key] },
      },
      solution,
    })),
  ];
  for (const payload of mixed)
    expect(await altcha.verify(writeToken(payload))).toMatchObject({ reason: 'forged' });
});

test('what anybody makes up is refused, however long or deep, and names no token', async () => {
  const good = readToken(await mintToken());
  const deep = `{"challenge":{"signature":"${'0'.repeat(64)}","parameters":${'['.repeat(20_000)}`;
  for (const token of [
    '',
    'x',
    'A'.repeat(60_000),
    '{"a":1}',
    encode(deep),
    writeToken(null),
    writeToken({}),
  ]) {
    expect(await altcha.verify(token)).toEqual({ ok: false, reason: 'malformed' });
    expect(altcha.identify(token)).toBeNull();
  }
  const nested = `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`;
  const nestedToken = encode(JSON.stringify(good).replace('"data":{', `"data":{"more":${nested},`));
  expect(await altcha.verify(nestedToken)).toMatchObject({ ok: false });

  const madeUp = fc.oneof(
    fc.string().map(encode),
    fc.jsonValue().map(writeToken),
    fc.jsonValue().map((solution) => writeToken({ ...good, solution })),
    fc.jsonValue().map((parameters) => writeToken({ ...good, challenge: { ...good.challenge, parameters } })),
  );
  await fc.assert(
    fc.asyncProperty(madeUp, async (token) => {
      expect(await altcha.verify(token)).toMatchObject({ ok: false });
    }),
  );
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
