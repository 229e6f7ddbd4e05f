import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { boundLongBodies } from './long-bodies.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return () => void vi.useRealTimers();
});

const passSeconds = (seconds: number) => vi.advanceTimersByTime(seconds * 1_000);

function prepare(atOnce = 2) {
  const names = new Map<unknown, string>();
  const admitBody = boundLongBodies(
    (request) => ({ name: names.get(request) ?? '', isUnknown: false }),
    atOnce,
  );
  /** A request as it is when it comes: of its body nothing has been seen yet. */
  return (client: string, headers: Record<string, string> = { 'content-length': '100000' }) => {
    const asked = { isLetIn: false, isClosed: false };
    const response = Object.assign(new EventEmitter(), { writableEnded: false });
    const socket = {
      destroy() {
        asked.isClosed = true;
        response.emit('close');
      },
    };
    const request = { headers, complete: false, socket };
    names.set(request, client);
    admitBody(request as unknown as IncomingMessage, response as unknown as ServerResponse, () => {
      asked.isLetIn = true;
    });
    return Object.assign(asked, { request, response, leave: () => response.emit('close') });
  };
}
type Asked = ReturnType<ReturnType<typeof prepare>>;

/** Wholly here, and its response is being made. */
function arrive({ request }: Asked): void {
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

test.each<[string, (one: Asked) => void]>([
  ['a body that does not end', () => {}],
  [
    'a response that is not read',
    (one) => {
      arrive(one);
      one.response.writableEnded = true;
    },
  ],
])('%s, of the client with the most, makes room for another client at once', (_what, hold) => {
  const ask = prepare(3);
  const phone = ask('phone');
  const flood = [ask('flood'), ask('flood')];
  flood.forEach(hold);
  const visitor = ask('visitor');
  expect([phone.isClosed, visitor.isLetIn, visitor.isClosed]).toEqual([false, true, false]);
  expect(flood.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

test('sixteen addresses that stall neither delay nor cut off another client, also where they come back at once', () => {
  const ask = prepare(128);
  const stall = () => Array.from({ length: 128 }, (_, n) => ask(`address ${n % 16}`));
  stall();
  const visitors = ['a', 'b', 'c'].map((name) => ask(name));
  expect(visitors.every(({ isLetIn }) => isLetIn)).toBe(true);
  for (let second = 0; second < 30; second++) {
    stall();
    passSeconds(1);
  }
  expect(visitors.some(({ isClosed }) => isClosed)).toBe(false);
});

test.each(['flood', 'visitor'])('a body that is overdue makes room for a waiting one of %s', (client) => {
  const ask = prepare(1);
  const slow = ask('flood');
  const next = ask(client);
  passSeconds(9);
  expect([slow.isClosed, next.isLetIn]).toEqual([false, false]);
  passSeconds(2);
  expect([slow.isClosed, next.isLetIn]).toEqual([true, true]);
});

test('a body that is overdue is not cut off while nobody waits', () => {
  const ask = prepare(1);
  const slow = ask('a');
  passSeconds(60);
  expect(slow.isClosed).toBe(false);
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

test('requests of a connection that broke off take no slot, also where several came in one packet', async () => {
  vi.useRealTimers();
  const admitBody = boundLongBodies(
    ({ socket }) => ({ name: String(socket.remotePort), isUnknown: false }),
    2,
  );
  let asked = 0;
  const server = createServer((request, response) => {
    const isOfVisitor = request.url === '/visitor';
    asked++;
    admitBody(request, response, () => {
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
