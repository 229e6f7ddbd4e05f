import { describe, expect, test } from 'vitest';
import { submitMutations } from '../../src/model/operations.ts';
import { attackedServer } from '../support/attacked-server.ts';
import { sampleEntries } from '../support/forms.ts';
import { exchange, statusesIn, wire } from '../support/raw-http.ts';
import { anyAddress } from '../support/visitor.ts';

/** The server counts by address, and a visitor can write anything into the header that a proxy tells it in. */

const behindProxy = attackedServer();
const open = attackedServer({ TRUST_PROXY: '' });

const from = (address: string) => [`X-Forwarded-For: ${address}`];

async function ask(port: number, lines: readonly string[], body = ''): Promise<string> {
  return exchange(port, wire([...lines, 'Host: x', 'Connection: close'], body));
}
const askForChallenge = (port: number, headers: readonly string[]) =>
  ask(port, ['GET /bot-check/challenge HTTP/1.1', ...headers]);

function postGraphql(port: number, headers: readonly string[], body: string): Promise<string> {
  const content = ['Content-Type: application/json', `Content-Length: ${body.length}`];
  return ask(port, ['POST /graphql HTTP/1.1', ...content, ...headers], body);
}

const variables = { fields: sampleEntries.help, recaptchaToken: 'made up' };
const junk = JSON.stringify({ query: submitMutations.help, variables });

/** What a form without a token is told: that it did not pass, or that there were too many like it from there. */
async function sendJunk(port: number, headers: readonly string[]): Promise<string | undefined> {
  return /"code":"(\w+)"/.exec(await postGraphql(port, headers, junk))?.[1];
}

/** Until wherever the server believes it to come from has sent too many. */
async function sendJunkUntilRefused(port: number, headers: () => readonly string[]): Promise<void> {
  for (let sent = 0; sent < 3_000; sent++) {
    const code = await sendJunk(port, headers());
    if (code === 'RATE_LIMITED') return;
    expect(code).toBe('BOT_CHECK_FAILED');
  }
  expect.unreachable('It was never refused');
}

const odd = [
  '',
  ' ',
  ',',
  ', ,,',
  ',1.2.3.4',
  '1.2.3.4,',
  'unknown',
  '_hidden',
  'for=1.2.3.4',
  '"1.2.3.4"',
  '127.0.0.1',
  '::1',
  '::ffff:127.0.0.1',
  '0.0.0.0',
  '::',
  '255.255.255.255',
  '999.1.1.1',
  '1.2.3',
  '0x7f.1',
  '017700000001',
  '2130706433',
  '1.2.3.4:5678',
  '1.2.3.4/24',
  '1.2.3.4 5.6.7.8',
  '\t1.2.3.4\t',
  '[2001:db8::1]',
  '[2001:db8::1]:443',
  '2001:db8::1::2',
  'fe80::1%eth0',
  'fe80::1%25eth0',
  '::ffff:1.2.3.4%lo',
  '1:2:3:4:5:6:7:8:9',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00%0d%0a',
  '\xff\xfe',
  '\0',
  'a\x7fb',
  '__proto__',
  'constructor',
  'x'.repeat(12_000),
  'x'.repeat(100_000),
  Array(1_500).fill('10.0.0.1').join(','),
  Array(20_000).fill('1.1.1.1').join(','),
  ','.repeat(14_000),
];

test.each([
  ['behind a proxy', behindProxy],
  ['without one', open],
])('no value ends the server or makes it fail: %s', async (_where, server) => {
  for (const address of odd) {
    const answers = [
      await askForChallenge(server.port(), from(address)),
      await postGraphql(server.port(), from(address), '{"query":"{getHelpForm{key}}"}'),
    ];
    const statuses = answers.flatMap(statusesIn);
    // 400 and 431 are for what is no header, or too much of one.
    expect([200, 400, 431], address.slice(0, 40)).toEqual(expect.arrayContaining(statuses));
    expect(statuses).toHaveLength(2);
  }
  expect(server.output()).not.toContain('"level":"error"');
});

describe('no client counts as another one', () => {
  test('a visitor who sends another’s address in a header uses up their own quota', async () => {
    const [victim, attacker] = [anyAddress(), anyAddress()];
    await sendJunkUntilRefused(behindProxy.port(), () => from(`${victim}, ${attacker}`));
    expect(await sendJunk(behindProxy.port(), from(victim))).toBe('BOT_CHECK_FAILED');
    for (const disguise of [
      from(`${anyAddress()}, ${attacker}`),
      from(`${anyAddress()},${anyAddress()} ,\t${attacker}`),
      [...from(anyAddress()), ...from(attacker)],
      [...from(attacker), 'Forwarded: for=192.0.2.77', 'X-Real-IP: 192.0.2.77'],
      from(`::ffff:${attacker}`),
    ]) {
      expect(await sendJunk(behindProxy.port(), disguise), disguise.join()).toBe('RATE_LIMITED');
    }
  });

  test('an IPv6 network of one visitor counts as one client', async () => {
    let n = 0;
    await sendJunkUntilRefused(behindProxy.port(), () => from(`2001:db8:1:${(++n % 256).toString(16)}::1`));
    expect(await sendJunk(behindProxy.port(), from('2001:db8:1:f0:ffff::1'))).toBe('RATE_LIMITED');
    expect(await sendJunk(behindProxy.port(), from('2001:db8:1:102::1'))).toBe('BOT_CHECK_FAILED');
  });

  test('without a proxy no header changes the address of a client', async () => {
    await sendJunkUntilRefused(open.port(), () => from(anyAddress()));
    const names = ['X-Forwarded-For', 'X-Real-IP', 'X-Client-IP', 'True-Client-IP', 'CF-Connecting-IP'];
    for (const name of names)
      expect(await sendJunk(open.port(), [`${name}: ${anyAddress()}`])).toBe('RATE_LIMITED');
    expect(await sendJunk(open.port(), [`Forwarded: for=${anyAddress()}`])).toBe('RATE_LIMITED');
  });
});
