import PostalMime from 'postal-mime';
import { afterAll, describe, expect, test } from 'vitest';
import { submitMutations } from '../../src/model/operations.ts';
import { attackedServer } from '../support/attacked-server.ts';
import { awhina } from '../support/command.ts';
import { parseCsv } from '../support/csv.ts';
import { sampleEntries, withAnswer } from '../support/forms.ts';
import { hostileAnswers } from '../support/hostile-answers.ts';
import { exchange, statusesIn, wire } from '../support/raw-http.ts';
import { type ScriptedSmtp, startScriptedSmtp } from '../support/scripted-smtp.ts';
import { mintToken } from '../support/tokens.ts';
import { anyAddress, isReceipt, send } from '../support/visitor.ts';

/** What a visitor writes must not become a line of ours: in an answer, a mail, or a spreadsheet. */

let smtp: ScriptedSmtp;
const server = attackedServer(async () => {
  smtp = await startScriptedSmtp();
  return {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'website@trust.example',
    MAIL_TO_HELP: 'help@trust.example',
    MAIL_TO_CONTACT: 'contact@trust.example',
    PUBLIC_URL: 'https://www.trust.example',
  };
});
afterAll(() => smtp.close());

const evil = 'attacker.example';
const paths = [
  '/',
  '/help',
  '/help/',
  '/contact',
  '/none',
  '/photos',
  '/assets/none.js',
  '/favicon.svg',
  '/robots.txt',
];
const machines = ['/.well-known/security.txt', '/health/live', '/health/ready'];

/** All the ways to tell a server that it is another. */
const poisoned: [string, (path: string) => string[]][] = [
  ['Host', (path) => [`GET ${path} HTTP/1.1`, `Host: ${evil}`]],
  ['Host with a port', (path) => [`GET ${path} HTTP/1.1`, `Host: www.trust.example:80@${evil}`]],
  ['two Hosts', (path) => [`GET ${path} HTTP/1.1`, 'Host: www.trust.example', `Host: ${evil}`]],
  ['the address itself', (path) => [`GET http://${evil}${path} HTTP/1.1`, 'Host: www.trust.example']],
  ['both', (path) => [`GET https://${evil}${path} HTTP/1.1`, `Host: ${evil}`]],
  ['the path', (path) => [`GET //${evil}${path} HTTP/1.1`, 'Host: x']],
  ['the path, backwards', (path) => [`GET /\\${evil}${path} HTTP/1.1`, 'Host: x']],
  [
    'what a proxy says',
    (path) => [
      `GET ${path} HTTP/1.1`,
      'Host: x',
      `X-Forwarded-Host: ${evil}`,
      `X-Forwarded-Server: ${evil}`,
      `X-Host: ${evil}`,
      `Forwarded: host=${evil};proto=http`,
      'X-Forwarded-Proto: javascript',
      `X-Forwarded-Prefix: //${evil}`,
      `X-Original-URL: //${evil}/`,
      `X-Rewrite-URL: //${evil}/`,
      `Referer: https://${evil}/`,
      `Origin: https://${evil}`,
    ],
  ],
];

test.each(poisoned)('no response repeats a host name that is not the site’s: %s', async (_how, lines) => {
  for (const path of [...paths, ...machines]) {
    const request = wire([...lines(path), 'Connection: close', `X-Forwarded-For: ${anyAddress()}`]);
    const answer = await exchange(server.port(), request);
    expect(statusesIn(answer)).toHaveLength(1);
    expect([200, 302, 400, 404]).toContain(statusesIn(answer)[0]);
    expect(answer).not.toContain(evil);
    expect(answer).not.toMatch(/^access-control-/im);
    for (const [, to] of answer.matchAll(/^location: (.*)\r$/gim)) expect(['/', '/help']).toContain(to);
  }
});

test('no line break in an address becomes a header', async () => {
  const breaks = ['%0d%0a', '%0a', '%0d', '%E5%98%8A%E5%98%8D', '%u000a', '%250d%250a', '\\r\\n', '%00'];
  for (const end of breaks) {
    for (const path of ['/', '/help/', '/none', '/assets/']) {
      for (const into of [`${end}X-Canary:1`, `?x=${end}Set-Cookie:canary=1${end}${end}<b>`]) {
        const answer = await exchange(
          server.port(),
          wire([`GET ${path}${into} HTTP/1.1`, 'Host: x', 'Connection: close']),
        );
        expect(statusesIn(answer)).toHaveLength(1);
        expect(answer).not.toMatch(/canary/i);
      }
    }
  }
});

/** Sent by hand, with a host that is none of ours in every place. */
async function sendPoisoned(fields: readonly object[]): Promise<void> {
  const variables = { fields, recaptchaToken: await mintToken() };
  const body = Buffer.from(JSON.stringify({ query: submitMutations.help, variables })).toString('latin1');
  const lines = poisoned.at(-1)?.[1]('/graphql').slice(2) ?? [];
  const head = [`POST http://${evil}/graphql HTTP/1.1`, `Host: ${evil}`, 'Connection: close', ...lines];
  const more = [`Content-Length: ${body.length}`, 'Content-Type: application/json', `User-Agent: ${evil}`];
  const answer = await exchange(server.port(), wire([...head, ...more], body));
  expect(answer).toContain('"reference"');
}

describe('a mail that a mail server got', () => {
  const headerNames = async (raw: string) => (await PostalMime.parse(raw)).headers.map(({ key }) => key);

  test('names no host but our own, and has no header, recipient or command of a visitor', async () => {
    await sendPoisoned(sampleEntries.help);
    await expect.poll(() => smtp.accepted.length).toBe(1);
    const [ordinary] = smtp.accepted;
    if (!ordinary) throw new Error('There is none');
    expect(ordinary.raw).not.toContain(evil);

    const breaks = ['\r\n', '\n', '\r', '\0', '\u2028', '\r\n.\r\n'];
    const injected = breaks.map(
      (end) => `a@visitor.example${end}Bcc: victim@${evil}${end}RCPT TO:<victim@${evil}>`,
    );
    const fields = ['FirstName', 'LastName', 'Email', 'Phone', 'Subject', 'Message'].reduce<
      readonly object[]
    >((entries, key, n) => withAnswer(entries as never, key, injected[n] ?? ''), sampleEntries.help);
    const sent = await send(server.url(), 'help', fields, await mintToken());
    if (!isReceipt(sent)) throw new Error(sent);
    // This visitor left an address to reply to, so the link follows in a mail of its own.
    await expect.poll(() => smtp.accepted.length).toBe(3);
    const [, hostile = ordinary, link] = smtp.accepted;
    expect(link?.raw).toContain(`Message-ID: <link-${sent.reference}@trust.example>`);
    expect(link?.raw).not.toContain(evil);
    expect([hostile.from, hostile.to]).toEqual([ordinary.from, ordinary.to]);
    expect(await headerNames(hostile.raw)).toEqual(await headerNames(ordinary.raw));
    expect(smtp.seen.every(({ to }) => to.join() === 'help@trust.example')).toBe(true);
  });
});

test('no cell of an export begins like a formula, and none ends early', async () => {
  const tried = hostileAnswers.filter((text) => text.length <= 500);
  expect(tried.length).toBeGreaterThan(90);
  const results = await Promise.all(
    tried.map(async (text) =>
      send(server.url(), 'help', withAnswer(sampleEntries.help, 'FirstName', text), await mintToken()),
    ),
  );
  const kept = results.filter(isReceipt).map(({ reference }) => reference);
  expect(kept.length).toBeGreaterThan(60);

  const { code, out } = await awhina(['export', '--csv'], { DATA_DIR: server.dataDir });
  expect(code).toBe(0);
  const [head = [], ...rows] = parseCsv(out.replace(/^\uFEFF/, ''));
  expect(rows).toHaveLength(server.countKept());
  expect(rows.map(([reference]) => reference)).toEqual(expect.arrayContaining(kept));
  for (const row of rows) {
    expect(row).toHaveLength(head.length);
    for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/);
  }
});
