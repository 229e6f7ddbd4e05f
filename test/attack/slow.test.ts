import { expect, onTestFinished, test } from 'vitest';
import type { AppParts } from '../../src/server/app.ts';
import { timeouts } from '../../src/server/http/http-server.ts';
import { prepareApp } from '../support/app.ts';
import { openConnections } from '../support/attackers.ts';
import { sampleEntries } from '../support/forms.ts';
import { listen, openConnection, wire } from '../support/raw-http.ts';
import { dribble } from '../support/slow-client.ts';

/**
 * A client that takes its time over a request is cut off, and nobody else notices. In this process, because a server of
 * its own cannot be told shorter limits; over real sockets all the same.
 */

const slowClients = 20;
const shortMs = 500;

async function attackedApp(changes: Partial<AppParts> = {}) {
  const { app } = await prepareApp(changes);
  const port = await listen(app);
  const visit = async () => (await fetch(`http://127.0.0.1:${port}/help`)).status;
  return { server: app.server, port, visit };
}

/** Another visitor, one page after another, for as long as the attack lasts. */
async function visitDuring<T>(attack: Promise<T>, visit: () => Promise<number>): Promise<[T, number[]]> {
  const statuses: number[] = [];
  let over = false;
  const done = attack.finally(() => {
    over = true;
  });
  while (!over) statuses.push(await visit());
  return [await done, statuses];
}

/** Where bytes were still under way, the end may be a reset, which takes the answer with it. */
const cutOff = /^(HTTP\/1.1 408 .*nosniff.*)?$/s;

const started = ['POST /graphql HTTP/1.1', 'Host: x', 'Content-Type: application/json'];

test('the timeouts of the running server are those that were set', async () => {
  const { server } = await attackedApp();
  expect(server.headersTimeout).toBe(timeouts.headersTimeout);
  expect(server.requestTimeout).toBe(timeouts.requestTimeout);
  expect(server.keepAliveTimeout).toBe(timeouts.keepAliveTimeout);
});

test.each([
  ['headers that do not begin', '', ''],
  ['headers that stop', `${started.join('\r\n')}\r\n`, ''],
  ['headers that never end', `${started.join('\r\n')}\r\n`, 'X: y\r\n'],
  ['first lines that never end', 'GET /', 'x'],
])('%s are cut off, and others are served', async (_what, beginning, rest) => {
  const { server, port, visit } = await attackedApp();
  server.headersTimeout = shortMs;
  const attack = Promise.all(Array.from({ length: slowClients }, () => dribble(port, beginning, rest)));
  const [answers, statuses] = await visitDuring(attack, visit);
  for (const answer of answers) expect(answer).toMatch(cutOff);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test.each([
  ['a body that never ends', wire([...started, 'Content-Length: 60000']), ' '],
  ['a body that stops', wire([...started, 'Content-Length: 60000'], '{'), ''],
  ['a body of chunks that never end', wire([...started, 'Transfer-Encoding: chunked']), '1\r\n \r\n'],
  ['a chunk that never begins', wire([...started, 'Transfer-Encoding: chunked']), '0'],
  ['a trailer that never ends', wire([...started, 'Transfer-Encoding: chunked'], '0\r\n'), 'X: y\r\n'],
])('%s is cut off, and others are served', async (_what, beginning, rest) => {
  const { server, port, visit } = await attackedApp();
  // Node lets no request end before its headers may.
  server.headersTimeout = shortMs;
  server.requestTimeout = shortMs;
  const attack = Promise.all(Array.from({ length: slowClients }, () => dribble(port, beginning, rest)));
  const [answers, statuses] = await visitDuring(attack, visit);
  for (const answer of answers) expect(answer).toMatch(cutOff);
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('a connection that stays idle after its response is closed', async () => {
  const { server, port } = await attackedApp();
  server.keepAliveTimeout = shortMs;
  const { socket, answered } = openConnection(port);
  socket.write(wire(['GET /health/live HTTP/1.1', 'Host: x']));
  expect(await answered).toMatch(/^HTTP\/1.1 200 /);
});

/** The head of a form as a browser posts it by itself. */
const plainHead = (address: string, length: number) => [
  ...['POST /contact HTTP/1.1', 'Host: x', 'Sec-Fetch-Site: same-origin', 'Connection: close'],
  ...[`X-Forwarded-For: ${address}`, `Content-Length: ${length}`],
  'Content-Type: application/x-www-form-urlencoded',
];
/** A form that begins and does not end, from one of sixteen addresses. */
const stalled = (number: number) => wire(plainHead(`192.0.2.${number % 16}`, 100_000), 'a'.repeat(50_000));

test('long forms that stall, from sixteen addresses, cut off nobody whose long form is on its way', async () => {
  const { server, port } = await attackedApp({ trustProxy: ['127.0.0.1'] });
  let asked = 0;
  server.on('request', () => asked++);
  const stall = async () => {
    const attack = await openConnections(`http://127.0.0.1:${port}`, 128, stalled);
    onTestFinished(() => attack.end());
    return attack;
  };
  const first = await stall();
  const form = new URLSearchParams(
    sampleEntries.contact.map(({ key, value }) => [key, key === 'Message' ? 'a'.repeat(9_990) : `${value}`]),
  );
  // With a field that no form has, so that it takes longer than the attack: a phone on a weak signal, which never stalls.
  const body = `${form}&more=${'a'.repeat(140_000)}`;
  const { socket, answered } = openConnection(port);
  socket.write(wire(plainHead('198.51.100.7', body.length)));
  let sent = 0;
  const sendSome = (bytes = 1_100) => {
    socket.write(body.slice(sent, sent + bytes));
    sent += bytes;
  };
  const timer = setInterval(sendSome, 200);
  onTestFinished(() => clearInterval(timer));
  // The first of them have made room, and others are there in their place: all have brought more than this one.
  await expect.poll(() => first.closed()).toBeGreaterThan(0);
  await stall();
  await expect.poll(() => asked).toBe(257);
  clearInterval(timer);
  sendSome(body.length);
  expect(await answered).toMatch(/^HTTP\/1.1 200 /);
});
