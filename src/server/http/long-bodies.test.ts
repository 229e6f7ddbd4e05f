import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { boundLongBodies } from './long-bodies.ts';

function prepare(atOnce = 2) {
  const names = new Map<unknown, string>();
  const waitForRoom = boundLongBodies(
    (request) => ({ name: names.get(request) ?? '', isGone: false }),
    atOnce,
  );
  /** A request as it is when it comes: of its body nothing has been seen yet. */
  return (client: string, headers: Record<string, string> = { 'content-length': '100000' }) => {
    const asked = { isLetIn: false, isClosed: false };
    const response = Object.assign(new EventEmitter(), { writableEnded: false });
    const socket = {
      /** Its headers. */
      bytesRead: 100,
      destroy() {
        asked.isClosed = true;
        response.emit('close');
      },
    };
    const request = { headers, complete: false, socket };
    names.set(request, client);
    waitForRoom(request as unknown as IncomingMessage, response as unknown as ServerResponse, () => {
      asked.isLetIn = true;
    });
    return Object.assign(asked, { request, response, leave: () => response.emit('close') });
  };
}

/** Wholly here, and its answer is being made. */
function arrive({ request }: { request: { complete: boolean } }): void {
  request.complete = true;
}

test('what is short never waits, however much else is in hand', () => {
  const ask = prepare();
  for (let n = 0; n < 5; n++) arrive(ask('flood'));
  expect(ask('somebody', { 'content-length': '16384' }).isLetIn).toBe(true);
  expect(ask('somebody', {}).isLetIn).toBe(true);
});

test('long ones wait unread while as many are answered as there is room for, and come in when one of them is done', () => {
  const ask = prepare();
  const first = ask('a');
  const second = ask('b', { 'transfer-encoding': 'chunked' });
  arrive(first);
  arrive(second);
  const third = ask('c', { 'content-length': '16385' });
  expect([first, second, third].map(({ isLetIn }) => isLetIn)).toEqual([true, true, false]);
  first.leave();
  expect(third.isLetIn).toBe(true);
  expect([first, second, third].some(({ isClosed }) => isClosed)).toBe(false);
});

test('whoever has the fewest comes next, before all that somebody else has sent already', () => {
  const ask = prepare();
  const flood = Array.from({ length: 10 }, () => ask('flood'));
  for (const one of flood.slice(0, 2)) arrive(one);
  const visitor = ask('visitor');
  flood[0]?.leave();
  expect(visitor.isLetIn).toBe(true);
});

test.each([
  ['a body that does not end', () => {}],
  [
    'an answer that is not read',
    (one: { request: { complete: boolean }; response: { writableEnded: boolean } }) => {
      one.request.complete = true;
      one.response.writableEnded = true;
    },
  ],
])('%s makes room for who comes, of the client that has the most', (_what, hold) => {
  const ask = prepare(10);
  const phone = ask('phone');
  const flood = Array.from({ length: 9 }, () => ask('flood'));
  flood.forEach(hold);
  for (const { request } of flood) request.socket.bytesRead = 5_000;
  const visitor = ask('visitor');
  expect(visitor.isLetIn).toBe(true);
  expect([phone, visitor].map(({ isClosed }) => isClosed)).toEqual([false, false]);
  expect(flood.map(({ isClosed }) => isClosed)).toEqual([true, ...Array(8).fill(false)]);
});

test('an answer that is being made is not given up, and who waits and leaves takes no room', () => {
  const ask = prepare();
  const flood = [ask('flood'), ask('flood')];
  flood.forEach(arrive);
  const impatient = ask('a');
  const visitor = ask('b');
  impatient.leave();
  expect(flood.some(({ isClosed }) => isClosed)).toBe(false);
  flood[1]?.leave();
  expect([impatient, visitor].map(({ isLetIn }) => isLetIn)).toEqual([false, true]);
});

test('a phone that still sends stays, also one of several, and one of those who only say that they will goes', () => {
  const ask = prepare(4);
  const [phone] = [ask('library'), ask('library')] as const;
  const silent = [ask('a'), ask('b')];
  phone.request.socket.bytesRead = 5_000;
  for (let n = 0; n < 20; n++) ask(`one of many ${n}`);
  expect(phone.isClosed).toBe(false);
  expect(silent.every(({ isClosed }) => isClosed)).toBe(true);
});

test('who waits is let in when the answers of others come to be read by nobody, though nobody else comes', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const ask = prepare();
  const flood = [ask('flood'), ask('flood')];
  flood.forEach(arrive);
  const visitor = ask('visitor');
  for (const { response } of flood) response.writableEnded = true;
  expect(visitor.isLetIn).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(visitor.isLetIn).toBe(true);
});

test('those of a connection that breaks off hold no room, also where several stood in one packet', async () => {
  const waitForRoom = boundLongBodies(
    ({ socket }) => ({ name: String(socket.remotePort), isGone: false }),
    2,
  );
  let asked = 0;
  const server = createServer((request, response) => {
    const isOfVisitor = request.url === '/visitor';
    asked++;
    waitForRoom(request, response, () => {
      request.resume();
      if (isOfVisitor) response.end('kept');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const body = 'a'.repeat(20_000);
  const post = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(post.repeat(4));
  await expect.poll(() => asked).toBeGreaterThanOrEqual(2);
  socket.resetAndDestroy();
  const answer = await fetch(`http://127.0.0.1:${port}/visitor`, { method: 'POST', body });
  expect(await answer.text()).toBe('kept');
});
