import { type CreateChallengeOptions, createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mintToken, readToken, solve, testSecret, writeToken } from '../../../test/support/tokens.ts';
import { altchaSecrets, createAltcha } from './altcha.ts';

/** We check tokens in a way of our own: here the library, whose challenges they are, looks at the same ones. */

const secrets = altchaSecrets(testSecret);
const altcha = createAltcha(testSecret);

async function libraryAccepts(token: string): Promise<boolean> {
  try {
    const { challenge, solution } = readToken(token);
    return (await verifySolution({ ...secrets, challenge, solution, deriveKey })).verified;
  } catch {
    return false;
  }
}
const weAccept = async (token: string) => (await altcha.verify(token)).ok;

/** The tokens of these that the two disagree about. Nobody reads a list of a thousand that are right. */
async function disputed(tokens: Iterable<string>): Promise<string[]> {
  const found: string[] = [];
  for (const token of tokens)
    if ((await weAccept(token)) !== (await libraryAccepts(token))) found.push(token);
  return found;
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Calls back for every object in it, with a way to write the whole with that object changed. */
function* places(payload: Json): Generator<{ inside: Json; write: (changed: unknown) => unknown }> {
  yield { inside: payload, write: (changed) => changed };
  for (const [key, value] of Object.entries(payload))
    if (isObject(value))
      for (const { inside, write } of places(value))
        yield { inside, write: (changed) => ({ ...payload, [key]: write(changed) }) };
}

const others = (value: unknown): unknown[] => {
  const text = typeof value === 'string' ? value : String(value);
  return [
    ...[undefined, null, true, false, 0, 1, -1, 1.5, 2 ** 32, 2 ** 53, '', 'x', [], {}, [value], { value }],
    ...[text, Number(text), `${text}0`, `${text}\n`, ` ${text}`, text.slice(1), text.toUpperCase()],
    ...[text.replace(/^./, (first) => (first === '0' ? '1' : '0')), '00'.repeat(32), 'SHA-256'],
  ];
};
const additions = ['more', 'toJSON', 'constructor', 'hmacSignatureSecret', 'counterMode', 'memoryCost'];

function* changedInOnePlace(payload: Json): Generator<string> {
  for (const { inside, write } of places(payload)) {
    for (const key of Object.keys(inside)) {
      for (const other of others(inside[key])) yield writeToken(write({ ...inside, [key]: other }));
      const { [key]: gone, ...rest } = inside;
      yield writeToken(write(rest));
      yield writeToken(write({ ...rest, [key]: gone }));
    }
    for (const key of additions) yield writeToken(write({ ...inside, [key]: 'x' }));
    for (const other of [null, 'x', 1, [], [inside]]) yield writeToken(write(other));
  }
}

const encode = (text: string) => Buffer.from(text).toString('base64');

/** JSON.parse takes the last of two; whoever took the first would check another token than the one it lets through. */
function* withKeysTwice(json: string): Generator<string> {
  for (const [pair, key] of json.matchAll(/"(\w+)":(?:"[^"]*"|[\d.]+|\{[^{}]*\})/g))
    for (const other of ['null', '"x"', '0', '{}', '[]', `"${'0'.repeat(64)}"`]) {
      yield encode(json.replace(pair, `"${key}":${other},${pair}`));
      yield encode(json.replace(pair, `${pair},"${key}":${other}`));
    }
  for (const brace of json.matchAll(/\{/g)) {
    const [before, after] = [json.slice(0, brace.index + 1), json.slice(brace.index + 1)];
    for (const key of ['__proto__', 'constructor', ''])
      for (const value of ['{"action":"submit"}', '1']) yield encode(`${before}"${key}":${value},${after}`);
  }
}

function* damaged(token: string): Generator<string> {
  for (let at = 0; at < token.length; at += 3) {
    yield token.slice(0, at);
    yield `${token.slice(0, at)}*${token.slice(at)}`;
    yield token.slice(0, at) + token.slice(at + 1);
    yield token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
  }
  yield* ['', '=', 'x'.repeat(60_000), 'A'.repeat(60_000), encode('['.repeat(20_000)), token + token];
  yield* [token.replaceAll('=', ''), `${token}====`, ` ${token} `, encode(`\ufeff${decode(token)}`)];
  yield encode(JSON.stringify(readToken(token), null, 2));
  yield writeToken({ ...readToken(token), more: 'x'.repeat(40_000) });
}
const decode = (token: string) => Buffer.from(token, 'base64').toString();

describe('the library and our check give the same verdict on a token', () => {
  test('that was changed, at each key and to any value', async () => {
    const payload = readToken(await mintToken());
    expect(await disputed([writeToken(payload)])).toEqual([]);
    expect(await disputed(changedInOnePlace(payload))).toEqual([]);
  });

  test('that has a key twice', async () => {
    expect(await disputed(withKeysTwice(decode(await mintToken())))).toEqual([]);
  });

  test('that is cut off, damaged, huge or encoded differently', async () => {
    expect(await disputed(damaged(await mintToken()))).toEqual([]);
  });

  test('that is put together from two good ones', async () => {
    const [one, two] = [readToken(await mintToken()), readToken(await mintToken())];
    const parts = [...places(one)].map(({ inside }, index) => [inside, [...places(two)][index]?.inside]);
    const mixed = parts.flatMap(([inside, other]) =>
      Object.keys(inside ?? {}).map((key) => {
        const copy = structuredClone(one);
        const place = [...places(copy)].find(
          (found) => JSON.stringify(found.inside) === JSON.stringify(inside),
        );
        Object.assign(place?.inside ?? {}, { [key]: other?.[key] });
        return writeToken(copy);
      }),
    );
    expect(mixed).toHaveLength(17);
    expect(await disputed(mixed)).toEqual([]);
  });

  test('that anybody makes up', async () => {
    const good = readToken(await mintToken());
    const madeUp = fc.oneof(
      fc.string().map(encode),
      fc.base64String(),
      fc.jsonValue().map(writeToken),
      fc.record({ challenge: fc.jsonValue(), solution: fc.jsonValue() }).map(writeToken),
      fc.jsonValue().map((solution) => writeToken({ ...good, solution })),
      fc
        .dictionary(fc.constantFrom(...Object.keys(good.challenge.parameters)), fc.jsonValue())
        .map((changes) => {
          const parameters = { ...good.challenge.parameters, ...changes };
          return writeToken({ ...good, challenge: { ...good.challenge, parameters } });
        }),
    );
    await fc.assert(
      fc.asyncProperty(madeUp, async (token) => {
        expect(await disputed([token])).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, object, boolean]>([
    ['another hash in its work', { algorithm: 'PBKDF2/SHA-512' }, true],
    ['more work', { cost: 7 }, true],
    ['another counter', { counter: 5 }, true],
    ['a shorter key', { keyLength: 16 }, true],
    ['another hash in its signature', { hmacAlgorithm: 'SHA-512' }, false],
    ['another secret', { hmacSignatureSecret: 'of somebody else' }, false],
    ['another secret for its key', { hmacKeySignatureSecret: 'of somebody else' }, false],
    ['an end that is past', { expiresAt: new Date(Date.now() - 10_000) }, false],
  ])('with %s', async (_what, changes, accepted) => {
    const token = await solve(await createChallenge({ ...ordinary, ...changes }));
    expect(await weAccept(token)).toBe(accepted);
    expect(await libraryAccepts(token)).toBe(accepted);
  });
});

const ordinary: CreateChallengeOptions = {
  ...secrets,
  algorithm: 'PBKDF2/SHA-256',
  cost: 1,
  counter: 0,
  deriveKey,
  expiresAt: new Date(Date.now() + 3_600_000),
  data: { action: 'submit' },
};

test.each<[string, object]>([
  ['without an end', { expiresAt: undefined }],
  ['for nothing in particular', { data: undefined }],
  ['for something else', { data: { action: 'login' } }],
  ['that says more than we do', { data: { action: 'submit', more: 1 } }],
  ['with a parameter that our work does not have', { memoryCost: 1 }],
  ['whose key is not signed', { hmacKeySignatureSecret: undefined }],
])('a challenge %s is refused, even with our signature', async (_what, changes) => {
  const token = await solve(await createChallenge({ ...ordinary, ...changes }));
  expect(await libraryAccepts(token)).toBe(true);
  expect(await weAccept(token)).toBe(false);
});
