import { describe, expect, test } from 'vitest';
import { submitMutations } from '../../src/model/operations.ts';
import { attackedServer } from '../support/attacked-server.ts';
import { sampleEntries } from '../support/forms.ts';
import { exchange, statusesIn, wire } from '../support/raw-http.ts';
import { mintToken } from '../support/tokens.ts';
import { anyAddress, isReceipt, send } from '../support/visitor.ts';

/**
 * Where a proxy and the server disagree on where a request ends, one visitor's bytes become another's request. So a
 * request whose end can be read in two ways gets one answer, which is no, and its connection is closed; and what stands
 * inside a body is never a request.
 */

const server = attackedServer();
const query = '{"query":"{getHelpForm{key}}"}';
const json = 'Content-Type: application/json';

/** What is hidden: a form that would be kept if anyone took it for a request. */
async function hiddenForm(): Promise<string> {
  const variables = { fields: sampleEntries.help, recaptchaToken: await mintToken() };
  const body = JSON.stringify({ query: submitMutations.help, variables });
  const length = `Content-Length: ${Buffer.byteLength(body, 'latin1')}`;
  return wire(['POST /graphql HTTP/1.1', 'Host: x', json, length, `X-Forwarded-For: ${anyAddress()}`], body);
}

const post = (headers: readonly string[], body: string) =>
  wire(['POST /graphql HTTP/1.1', 'Host: x', json, `X-Forwarded-For: ${anyAddress()}`, ...headers], body);
const length = (body: string, as: (size: number) => string = String) => `Content-Length: ${as(body.length)}`;
const chunked = 'Transfer-Encoding: chunked';
const inChunks = (body: string, size = body.length.toString(16)) => `${size}\r\n${body}\r\n0\r\n\r\n`;
const chunks = inChunks(query);

/** How many are kept once all that came before is settled: an open form is sent behind it, and counted off. */
async function countSettled(): Promise<number> {
  const receipt = await send(server.url(), 'contact', sampleEntries.contact, await mintToken());
  expect(isReceipt(receipt)).toBe(true);
  return server.countKept() - 1;
}

test('the hidden form would be stored if it were sent openly', async () => {
  const before = server.countKept();
  const bye = wire(['GET /robots.txt HTTP/1.1', 'Host: x', 'Connection: close']);
  const answers = await exchange(server.port(), (await hiddenForm()) + bye);
  expect(statusesIn(answers)).toEqual([200, 200]);
  expect(await countSettled()).toBe(before + 1);
});

describe('a request that can be read in two ways gets one refusal, and its connection ends', () => {
  test.each<[string, (hidden: string) => string]>([
    ['a length and chunks', (hidden) => post([length(chunks + hidden), chunked], chunks + hidden)],
    ['chunks and a length', (hidden) => post([chunked, 'Content-Length: 4'], chunks + hidden)],
    ['chunks in odd letters', (hidden) => post(['tRANSFER-eNCODING: ChUnKeD', length('x')], chunks + hidden)],
    ['a space before the colon', (hidden) => post(['Transfer-Encoding : chunked'], chunks + hidden)],
    ['a space before the name', (hidden) => post([` ${chunked}`, length(query)], query + hidden)],
    ['a folded line', (hidden) => post(['Transfer-Encoding:\r\n chunked'], chunks + hidden)],
    ['chunks in a folded line', (hidden) => post([`X: y\r\n ${chunked}`, length(query)], query + hidden)],
    ['a vertical tab', (hidden) => post(['Transfer-Encoding: \x0bchunked'], chunks + hidden)],
    ['nearly chunked', (hidden) => post(['Transfer-Encoding: xchunked'], chunks + hidden)],
    ['chunked in quotes', (hidden) => post(['Transfer-Encoding: "chunked"'], chunks + hidden)],
    ['chunked with more', (hidden) => post(['Transfer-Encoding: chunked;x=1'], chunks + hidden)],
    ['chunked, but not last', (hidden) => post(['Transfer-Encoding: chunked, identity'], chunks + hidden)],
    ['chunked, then not', (hidden) => post([chunked, 'Transfer-Encoding: identity'], chunks + hidden)],
    ['chunked twice', (hidden) => post([chunked, chunked], chunks + hidden)],
    ['not chunked', (hidden) => post(['Transfer-Encoding: identity', length(query)], query + hidden)],
    ['chunked and a NUL', (hidden) => post([`${chunked}\0`], chunks + hidden)],
    ['two lengths', (hidden) => post([length('x'), length(query)], query + hidden)],
    ['one length twice', (hidden) => post([length(query), length(query)], query + hidden)],
    ['a list of lengths', (hidden) => post([length(query, (n) => `${n}, ${n}`)], query + hidden)],
    ['a length with a sign', (hidden) => post([length(query, (n) => `+${n}`)], query + hidden)],
    ['a length below nothing', (hidden) => post(['Content-Length: -1'], query + hidden)],
    ['a length in hex', (hidden) => post(['Content-Length: 0x1e'], query + hidden)],
    ['a length with a gap', (hidden) => post(['Content-Length: 3 0'], query + hidden)],
    ['a length too long', (hidden) => post(['Content-Length: 18446744073709551646'], query + hidden)],
    ['a length of none', (hidden) => post(['Content-Length: '], query + hidden)],
    ['a chunk in hex with 0x', (hidden) => post([chunked], inChunks(query, '0x1e') + hidden)],
    ['a chunk below nothing', (hidden) => post([chunked], inChunks(query, '-1') + hidden)],
    ['a chunk too long', (hidden) => post([chunked], inChunks(query, '1000000000000001e') + hidden)],
    ['a chunk of no size', (hidden) => post([chunked], inChunks(query, 'zz') + hidden)],
    ['a chunk without an end', (hidden) => post([chunked], `1e\r\n${query}0\r\n\r\n${hidden}`)],
    ['chunks in half lines', (hidden) => post([chunked], `1e\n${query}\n0\n\n${hidden}`)],
    ['half a line beside a chunk', (hidden) => post([chunked], inChunks(query, '1e;a\nb') + hidden)],
    [
      'a length after the chunks',
      (hidden) => post([chunked], `1e\r\n${query}\r\n0\r\n${length('x')}\r\n\r\n${hidden}`),
    ],
    ['half lines', (hidden) => post([length(query)], query).replaceAll('\r\n', '\n') + hidden],
    ['chunks in half a line', (hidden) => post([`X: y\n${chunked}`, length(query)], query + hidden)],
    ['chunks in the other half', (hidden) => post([`X: y\r${chunked}`, length(query)], query + hidden)],
    ['a NUL in a value', (hidden) => post(['X: a\0b', length(query)], query + hidden)],
    ['a NUL in a name', (hidden) => post(['X\0: a', length(query)], query + hidden)],
    ['a NUL in the address', (hidden) => wire(['GET /\0 HTTP/1.1', 'Host: x'], hidden)],
    ['a space in the address', (hidden) => wire(['GET /a b HTTP/1.1', 'Host: x'], hidden)],
    ['chunks of an older HTTP', (hidden) => wire(['POST /graphql HTTP/1.0', json, chunked], chunks + hidden)],
    ['an HTTP older than headers', (hidden) => `GET /\r\n${hidden}`],
    ['the start of a newer HTTP', (hidden) => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${hidden}`],
    ['an HTTP nobody knows', (hidden) => wire(['GET / HTTP/3.7', 'Host: x'], hidden)],
    ['a header too long', (hidden) => post([`X: ${'x'.repeat(20_000)}`, length(query)], query + hidden)],
    ['more headers than are kept', (hidden) => post([...Array(2_100).fill('A: b'), length(hidden)], hidden)],
    ['an address too long', (hidden) => wire([`GET /${'x'.repeat(20_000)} HTTP/1.1`, 'Host: x'], hidden)],
    [
      'more around a chunk than in it',
      (hidden) => post([chunked], inChunks(query, `1e;${'x'.repeat(20_000)}`) + hidden),
    ],
    [
      'more after the chunks than in them',
      (hidden) =>
        post([chunked], `1e\r\n${query}\r\n0\r\n${`X: ${'x'.repeat(990)}\r\n`.repeat(40)}\r\n${hidden}`),
    ],
    ['more than may be sent', (hidden) => post(['Content-Length: 70000'], hidden)],
  ])('%s', async (_what, attack) => {
    const before = server.countKept();
    // Resolves when the server has closed the connection.
    const answers = await exchange(server.port(), attack(await hiddenForm()));
    expect(statusesIn(answers)).toEqual([expect.toSatisfy((status) => [400, 413, 431].includes(status))]);
    expect(await countSettled()).toBe(before);
  });

  test('a request for a tunnel gets no response', async () => {
    const before = server.countKept();
    const attack = wire(['CONNECT internal.example:443 HTTP/1.1', 'Host: x'], await hiddenForm());
    expect(statusesIn(await exchange(server.port(), attack))).toEqual([]);
    expect(await countSettled()).toBe(before);
  });
});

describe('nothing inside a body counts as a request, whatever becomes of the body', () => {
  const sized = (first: string) => (hidden: string) =>
    wire([first, 'Host: x', length(hidden), `X-Forwarded-For: ${anyAddress()}`], hidden);

  test.each<[string, (hidden: string) => string, number]>([
    ['of a page', sized('GET /help HTTP/1.1'), 200],
    ['of a page, in chunks', (hidden) => wire(['GET / HTTP/1.1', 'Host: x', chunked], inChunks(hidden)), 200],
    ['of a page asked for by its head', sized('HEAD /help HTTP/1.1'), 200],
    ['of a page that is none', sized('GET /none HTTP/1.1'), 302],
    ['sent to nobody', sized('POST /none HTTP/1.1'), 404],
    ['of no kind', sized('POST /graphql HTTP/1.1'), 415],
    ['of a health check', sized('GET /health/live HTTP/1.1'), 200],
  ])('%s', async (_what, attack, status) => {
    const before = server.countKept();
    const bye = wire(['GET /robots.txt HTTP/1.1', 'Host: x', 'Connection: close']);
    const answers = await exchange(server.port(), attack(await hiddenForm()) + bye);
    expect(statusesIn(answers)).toEqual([status, 200]);
    expect(answers.match(/User-agent: \*/g)).toHaveLength(1);
    expect(await countSettled()).toBe(before);
  });

  test.each(['h2c', 'websocket'])(
    'nothing after an offer to upgrade to %s counts as a request',
    async (protocol) => {
      const before = server.countKept();
      const offer = [
        'GET /health/live HTTP/1.1',
        'Host: x',
        'Connection: Upgrade, close',
        `Upgrade: ${protocol}`,
      ];
      const answers = await exchange(server.port(), wire(offer, await hiddenForm()));
      expect(statusesIn(answers)).toEqual([200]);
      expect(await countSettled()).toBe(before);
    },
  );
});

test('what an honest proxy may write is accepted', async () => {
  for (const header of [
    'transfer-encoding: Chunked',
    'Transfer-Encoding:\tchunked',
    'Transfer-Encoding:chunked ',
  ]) {
    const answers = await exchange(
      server.port(),
      post([header, 'Connection: close'], inChunks(query, '1E;a=b')),
    );
    expect(statusesIn(answers)).toEqual([200]);
    expect(answers).toContain('"FirstName"');
  }
});
