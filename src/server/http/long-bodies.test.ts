import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { boundLongBodies } from './long-bodies.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return () => void vi.useRealTimers();
});

/** In steps, as time goes: whoever still sends brings some more at each. */
function passSeconds(seconds: number, sending: { request: { socket: { bytesRead: number } } }[] = []): void {
  for (let n = 0; n < seconds; n++) {
    for (const { request } of sending) request.socket.bytesRead += 1_024;
    vi.advanceTimersByTime(1_000);
  }
}

/** How much later it is than timers know: something kept the server from looking. */
const busy = { ms: 0 };

function prepare(atOnce = 2) {
  busy.ms = 0;
  const names = new Map<unknown, string>();
  const waitForRoom = boundLongBodies(
    (request) => ({ name: names.get(request) ?? '', isUnknown: false }),
    atOnce,
    () => performance.now() + busy.ms,
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

test('a short body never waits, however many requests are being handled', () => {
  const ask = prepare();
  for (let n = 0; n < 5; n++) arrive(ask('flood'));
  expect(ask('somebody', { 'content-length': '16384' }).isLetIn).toBe(true);
  expect(ask('somebody', {}).isLetIn).toBe(true);
});

test('long bodies wait unread while all slots are taken, and are read when one is free', () => {
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

test('the client with the fewest long bodies is next, before all that another one has queued', () => {
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
])('%s makes room for a new one, once it has stalled for some seconds', (_what, hold) => {
  const ask = prepare(3);
  const phone = ask('phone');
  const stalled = [ask('flood'), ask('flood')];
  stalled.forEach(hold);
  const visitor = ask('visitor');
  passSeconds(4, [phone]);
  expect([visitor.isLetIn, ...stalled.map(({ isClosed }) => isClosed)]).toEqual([false, false, false]);
  passSeconds(2, [phone]);
  expect([phone.isClosed, visitor.isLetIn, visitor.isClosed]).toEqual([false, true, false]);
  expect(stalled.filter(({ isClosed }) => isClosed)).toHaveLength(1);
});

test('sixteen addresses that stall cut off no new body, also where they come back at once', () => {
  const ask = prepare(128);
  const stall = () => Array.from({ length: 128 }, (_, n) => ask(`address ${n % 16}`));
  for (const { request } of stall()) request.socket.bytesRead += 15_000;
  passSeconds(1);
  // All of them have brought more than who comes now.
  const visitors = ['a', 'b', 'c'].map((name) => ask(name));
  for (let second = 0; second < 30; second++) {
    stall();
    passSeconds(
      1,
      visitors.filter(({ isLetIn }) => isLetIn),
    );
  }
  expect(visitors.map(({ isLetIn, isClosed }) => [isLetIn, isClosed])).toEqual(Array(3).fill([true, false]));
});

test('the body that has stalled for longest is cut off, and no more than needed', () => {
  const ask = prepare(3);
  const first = ask('a');
  passSeconds(2);
  const second = ask('b');
  passSeconds(2);
  const third = ask('c');
  passSeconds(10);
  const visitor = ask('visitor');
  expect(visitor.isLetIn).toBe(true);
  expect([first, second, third].map(({ isClosed }) => isClosed)).toEqual([true, false, false]);
});

test('time in which the server itself was blocked does not count as stalling', () => {
  const ask = prepare(1);
  const phone = ask('phone');
  const visitor = ask('visitor');
  passSeconds(2);
  busy.ms = 60_000;
  passSeconds(1);
  expect([phone.isClosed, visitor.isLetIn]).toEqual([false, false]);
  passSeconds(2);
  expect([phone.isClosed, visitor.isLetIn]).toEqual([true, true]);
});

test('bodies that arrive slowly from one address do not delay others for long', () => {
  const ask = prepare(20);
  const drip = Array.from({ length: 20 }, () => ask('drip'));
  const visitor = ask('visitor');
  const more = Array.from({ length: 20 }, () => ask('drip'));
  for (let second = 0; second < 6; second++) {
    for (const { request } of [...drip, ...more]) request.socket.bytesRead += 2_000;
    passSeconds(1);
  }
  expect([visitor.isLetIn, visitor.isClosed]).toEqual([true, false]);
  expect(drip.filter(({ isClosed }) => isClosed)).toHaveLength(1);
});

test('a byte now and then is no progress', () => {
  const ask = prepare(1);
  const dribble = ask('dribble');
  const visitor = ask('visitor');
  for (let second = 0; second < 6; second++) {
    dribble.request.socket.bytesRead += 100;
    passSeconds(1);
  }
  expect([dribble.isClosed, visitor.isLetIn]).toEqual([true, true]);
});

test('a response that is being made is not cut off, and a queued client that leaves takes no slot', () => {
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

test('a client has some seconds to read its response, however long the response took', () => {
  const ask = prepare(1);
  const answered = ask('a');
  arrive(answered);
  const visitor = ask('visitor');
  passSeconds(20);
  answered.response.writableEnded = true;
  passSeconds(5);
  expect([answered.isClosed, visitor.isLetIn]).toEqual([false, false]);
  passSeconds(1);
  expect([answered.isClosed, visitor.isLetIn]).toEqual([true, true]);
});

test('requests of a connection that broke off take no slot, also where several came in one packet', async () => {
  vi.useRealTimers();
  const waitForRoom = boundLongBodies(
    ({ socket }) => ({ name: String(socket.remotePort), isUnknown: false }),
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
