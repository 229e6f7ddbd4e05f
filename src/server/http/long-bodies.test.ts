import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { boundLongBodies } from './long-bodies.ts';

function prepare(atOnce = 2) {
  const names = new Map<unknown, string>();
  const bound = boundLongBodies((request) => ({ name: names.get(request) ?? '', isUnknown: false }), atOnce);
  return (client: string, headers: Record<string, string> = { 'content-length': '100000' }) => {
    const response = new EventEmitter();
    const asked = { isClosed: false, leave: () => void response.emit('close') };
    const socket = {
      destroy() {
        asked.isClosed = true;
        asked.leave();
      },
    };
    const request = { headers, socket };
    names.set(request, client);
    bound(request as unknown as IncomingMessage, response as unknown as ServerResponse);
    return asked;
  };
}
const closed = (all: { isClosed: boolean }[]) => all.map(({ isClosed }) => isClosed);

test('a short body neither counts nor is cut off, however many there are', () => {
  const ask = prepare(1);
  const short = Array.from({ length: 5 }, () => ask('flood', { 'content-length': '16384' }));
  const others = [ask('flood'), ask('flood', {})];
  expect(closed([...short, ...others])).not.toContain(true);
});

test('beyond the bound the client with the most long bodies loses its oldest', () => {
  const ask = prepare(3);
  const phone = ask('phone');
  const flood = [ask('flood'), ask('flood', { 'transfer-encoding': 'chunked' })];
  const visitor = ask('visitor', { 'content-length': '16385' });
  expect(closed([phone, visitor, ...flood])).toEqual([false, false, true, false]);
});

test('a body that has arrived makes room', () => {
  const ask = prepare(1);
  const first = ask('a');
  first.leave();
  expect(closed([first, ask('b')])).toEqual([false, false]);
});

test('sixteen addresses that stall and come back at once do not cut off another client', () => {
  const ask = prepare(128);
  const stall = () => Array.from({ length: 128 }, (_, n) => ask(`address ${n % 16}`));
  stall();
  const visitors = ['a', 'b', 'c'].map((name) => ask(name));
  for (let times = 0; times < 30; times++) stall();
  expect(closed(visitors)).toEqual([false, false, false]);
});

test('requests of a connection that broke off do not count, also where several came in one packet', async () => {
  const bound = boundLongBodies(({ socket }) => ({ name: String(socket.remotePort), isUnknown: false }), 2);
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    bound(request, response);
    request.resume();
    if (request.url === '/visitor') response.end('kept');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const body = 'a'.repeat(20_000);
  const post = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(post.repeat(2));
  await expect.poll(() => asked).toBe(2);
  socket.resetAndDestroy();
  const answers = [1, 2].map(() => fetch(`http://127.0.0.1:${port}/visitor`, { method: 'POST', body }));
  for (const answer of await Promise.all(answers)) expect(await answer.text()).toBe('kept');
});
