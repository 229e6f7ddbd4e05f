import { describe, expect, test } from 'vitest';
import { attackedServer } from '../support/attacked-server.ts';
import { sampleEntries, withAnswer } from '../support/forms.ts';
import { mintToken, readToken, writeToken } from '../support/tokens.ts';
import { isReceipt, send } from '../support/visitor.ts';

const server = attackedServer();
const other = (text: string) => withAnswer(sampleEntries.help, 'Message', text);
const sendHelp = (token: string, entries: readonly object[] = sampleEntries.help) =>
  send(server.url(), 'help', entries, token);

/** The token with something in it changed. */
async function changed(change: (payload: ReturnType<typeof readToken>) => unknown): Promise<string> {
  const payload = readToken(await mintToken());
  return writeToken(change(payload) ?? payload);
}
const inParameters = (change: object) => () =>
  changed(({ challenge, ...rest }) => ({
    ...rest,
    challenge: { ...challenge, parameters: { ...challenge.parameters, ...change } },
  }));
const inSolution = (change: object) => () =>
  changed(({ solution, ...rest }) => ({ ...rest, solution: { ...solution, ...change } }));
const signed = (sign: (signature: string) => unknown) => () =>
  changed(({ challenge, ...rest }) => ({
    ...rest,
    challenge: { ...challenge, signature: sign(challenge.signature) },
  }));
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

describe('a token without a solved challenge is refused, and nothing is stored', () => {
  test.each<[string, () => Promise<string> | string]>([
    ['with no signature', signed(() => undefined)],
    ['with an empty signature', signed(() => '')],
    ['with a signature of zeros', signed(() => '0'.repeat(64))],
    ['with a signature that is a list of it', signed((signature) => [signature])],
    ['signed by somebody else', () => mintToken({ secret: 'another secret, of somebody who guesses' })],
    ['signed with nothing', () => mintToken({ secret: '' })],
    ['made for another action', () => mintToken({ action: 'login' })],
    ['expired', () => mintToken({ expiresAt: new Date(Date.now() - 1000) })],
    ['whose end was put off', inParameters({ expiresAt: inAnHour + 60 })],
    ['that never ends', inParameters({ expiresAt: Number.MAX_SAFE_INTEGER })],
    ['without an end', inParameters({ expiresAt: undefined })],
    ['with another salt', inParameters({ salt: '00'.repeat(16) })],
    ['with another nonce', inParameters({ nonce: '00'.repeat(16) })],
    ['that cost less', inParameters({ cost: 0 })],
    ['with another prefix to find', inParameters({ keyPrefix: '' })],
    ['of another method', inParameters({ algorithm: 'SHA-256' })],
    ['with one more parameter', inParameters({ more: 'x' })],
    ['whose answer is a wrong key', inSolution({ derivedKey: '00'.repeat(32) })],
    ['whose answer is no key', inSolution({ derivedKey: '' })],
    ['whose answer is missing', () => changed(({ challenge }) => ({ challenge }))],
    ['that is nothing', () => ''],
    ['that is no JSON', () => Buffer.from('{"challenge":').toString('base64')],
    ['that is null', () => writeToken(null)],
    ['that is a list', () => writeToken([[]])],
    ['that is deep', () => Buffer.from('['.repeat(20_000)).toString('base64')],
    ['that would be the parent of all', () => Buffer.from('{"__proto__":{"ok":true}}').toString('base64')],
    ['that is long', () => 'A'.repeat(60_000)],
  ])('%s', async (_what, make) => {
    const before = server.countKept();
    expect(await sendHelp(await make())).toBe('BOT_CHECK_FAILED');
    expect(server.countKept()).toBe(before);
  });
});

test('a spent token gets its own receipt again for the same answers, and nothing for any others', async () => {
  const token = await mintToken();
  const first = await sendHelp(token);
  expect(isReceipt(first)).toBe(true);
  const kept = server.countKept();
  expect(await sendHelp(token)).toEqual(first);
  expect(await sendHelp(token, other('Something else'))).toBe('BOT_CHECK_FAILED');
  expect(await send(server.url(), 'contact', sampleEntries.contact, token)).toBe('BOT_CHECK_FAILED');
  expect(server.countKept()).toBe(kept);
});

/** The same solved challenge, written down as nobody's browser would. */
const spellings: [string, (token: string) => string][] = [
  ['base64url', (token) => asBytes({ more: '~~~???>>>', ...readToken(token) }).toString('base64url')],
  ['without padding', (token) => asBytes({ more: 'x', ...readToken(token) }).toString('base64url')],
  ['with more padding', (token) => `${token}====`],
  ['with something after the padding', (token) => `${token.replaceAll('=', '')}==AAAA`],
  ['with white space', (token) => ` ${token.replace(/.{60}/g, '$&\r\n\t')} `],
  ['with what is no base64', (token) => token.replace(/^(.{8})/, '$1*\0é')],
  ['indented', (token) => Buffer.from(JSON.stringify(readToken(token), null, 2)).toString('base64')],
  ['in escapes', (token) => encodeWith(token, /[a-z]/g, (letter) => escapeOf(letter))],
  ['other way round', (token) => writeToken(reversed(readToken(token)))],
  ['with more around it', (token) => writeToken({ more: 1, ...readToken(token), took: 5 })],
  [
    'twice in one',
    (token) => encodeWith(token, /^\{/, () => '{"challenge":{"signature":"00"},"solution":1,'),
  ],
  ['with more data', (token) => encodeWith(token, /"data":\{/, (all) => `${all}"more":1,`)],
  ['with its counter changed', (token) => withSolution(token, { counter: 77 })],
  ['with its time changed', (token) => withSolution(token, { time: 123_456 })],
  ['with numbers of another form', (token) => encodeWith(token, /"expiresAt":(\d+)/, (all) => `${all}.0e0`)],
  ['with its signature in capitals', (token) => encodeWith(token, /"signature":"\w+"/, upperCase)],
  ['with its key in capitals', (token) => encodeWith(token, /"derivedKey":"\w+"/, upperCase)],
];
const asBytes = (payload: unknown) => Buffer.from(JSON.stringify(payload));
function encodeWith(token: string, pattern: RegExp, by: (found: string) => string): string {
  const json = JSON.stringify(readToken(token));
  // Only in what stands in quotes, where a letter may be written as an escape.
  const text = pattern.flags.includes('g')
    ? json.replace(/"[^"]*"/g, (quoted) => quoted.replace(pattern, by))
    : json.replace(pattern, by);
  return Buffer.from(text).toString('base64');
}
const escapeOf = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
const upperCase = (found: string) =>
  found.replace(/(:")(\w+)/, (_all, before, hex) => before + hex.toUpperCase());
const withSolution = (token: string, change: object) => {
  const { challenge, solution } = readToken(token);
  return writeToken({ challenge, solution: { ...solution, ...change } });
};
function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]) => [key, reversed(one)])
      .toReversed(),
  );
}

test.each(spellings)('one challenge is one request, however it is written down: %s', async (_how, spell) => {
  const token = await mintToken();
  const spelt = spell(token);
  expect(spelt).not.toBe(token);
  const first = await sendHelp(token);
  expect(isReceipt(first)).toBe(true);
  const kept = server.countKept();
  // Either it is no token at all, or it is the very same.
  expect([first, 'BOT_CHECK_FAILED']).toContainEqual(await sendHelp(spelt));
  expect(await sendHelp(spelt, other('Something else'))).toBe('BOT_CHECK_FAILED');
  expect(server.countKept()).toBe(kept);
});

describe('fifty that race with one token', () => {
  const race = (entries: (n: number) => readonly object[], token: string) =>
    Promise.all(Array.from({ length: 50 }, (_, n) => sendHelp(token, entries(n))));

  test('and different answers: one is stored, and the others are refused', async () => {
    const before = server.countKept();
    const results = await race((n) => other(`Number ${n}`), await mintToken());
    expect(results.filter(isReceipt)).toHaveLength(1);
    expect(results.filter((result) => result === 'BOT_CHECK_FAILED')).toHaveLength(49);
    expect(server.countKept()).toBe(before + 1);
  });

  test('and the same answers: one is stored, and all get its receipt', async () => {
    const before = server.countKept();
    const results = await race(() => sampleEntries.help, await mintToken());
    expect(results.every(isReceipt)).toBe(true);
    expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
    expect(server.countKept()).toBe(before + 1);
  });

  test('on both forms and in every spelling: one is stored', async () => {
    const before = server.countKept();
    const token = await mintToken();
    const results = await Promise.all([
      ...spellings.map(([how, spell]) => sendHelp(spell(token), other(how))),
      ...spellings.map(([, spell]) => send(server.url(), 'contact', sampleEntries.contact, spell(token))),
    ]);
    expect(new Set(results.filter(isReceipt).map(({ reference }) => reference)).size).toBe(1);
    expect(server.countKept()).toBe(before + 1);
  });
});
