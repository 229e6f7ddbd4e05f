import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { boundConnections, connectionBounds } from './connections.ts';

/** A socket as far as its connection is concerned: an address, and whether it was closed. */
class FakeSocket extends EventEmitter {
  destroyed = false;
  remoteAddress: string | undefined;
  constructor(remoteAddress: string | undefined) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy() {
    this.destroyed = true;
  }
}

function prepare(bounds = { total: 4, perAddress: 3 }, isProxy = (_address: string) => false) {
  const waiting = new Set<unknown>();
  const connections = boundConnections(bounds, isProxy, (request) => waiting.has(request));
  const connect = (address: string | undefined) => {
    const socket = new FakeSocket(address);
    connections.add(socket as unknown as Socket);
    return socket;
  };
  /** A request that is wholly here, unless it says otherwise. */
  const ask = (socket: FakeSocket, { complete = true } = {}) => {
    const request = { socket, complete };
    const response = Object.assign(new EventEmitter(), { req: request, writableEnded: false });
    const admitted = connections.admit(
      request as unknown as IncomingMessage,
      response as unknown as ServerResponse,
    );
    return { admitted, request, response };
  };
  return { connections, connect, ask, waiting };
}
const open = (sockets: FakeSocket[]) => sockets.map(({ destroyed }) => !destroyed);

test('at the limit the oldest idle connection is closed, and the new one is served', () => {
  const { connections, connect, ask } = prepare();
  const sockets = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map(connect);
  const visitor = connect('198.51.100.1');
  expect(open(sockets)).toEqual([false, true, true, true]);
  expect(ask(visitor).admitted).toBe(true);
  expect(connections.size).toBe(4);
});

test('an address over its own limit loses its own oldest idle connection, and no other address does', () => {
  const { connections, connect } = prepare({ total: 100, perAddress: 3 });
  const other = connect('192.0.2.1');
  const sockets = Array.from({ length: 5 }, () => connect('192.0.2.9'));
  expect(open([other, ...sockets])).toEqual([true, false, false, true, true, true]);
  expect(connections.size).toBe(4);
});

test('an IPv6 network is one address', () => {
  const { connections, connect } = prepare({ total: 100, perAddress: 3 });
  for (let n = 1; n < 50; n++) connect(`2001:db8::${n}`);
  expect(connections.size).toBe(3);
});

test('the limit of an address holds neither for a proxy nor for connections without an address', () => {
  const { connections, connect } = prepare(
    { total: 100, perAddress: 3 },
    (address) => address === '10.0.0.1',
  );
  for (let n = 0; n < 20; n++) connect('10.0.0.1');
  for (let n = 0; n < 20; n++) connect(undefined);
  expect(connections.size).toBe(40);
});

/** How far the request of each of four connections is when a fifth one comes; which are still open then. */
test.each([
  ['an idle one is closed, not one that was answered since', 'answered idle idle idle', [1, 0, 1, 1, 1]],
  [
    'next, the one whose request has been arriving for longest',
    'made arriving arriving arriving',
    [1, 0, 1, 1, 1],
  ],
  ['next, one whose request is queued', 'made queued queued queued', [1, 0, 1, 1, 1]],
  ['next, the one whose response has waited unread for longest', 'made made unread unread', [1, 1, 0, 1, 1]],
  ['a response that is being made is never cut off', 'made made made made', [1, 1, 1, 1, 0]],
])('at the limit %s', (_what, states, isOpen) => {
  const { connections, connect, ask, waiting } = prepare();
  const sockets = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map(connect);
  for (const [n, state] of states.split(' ').entries()) {
    if (state === 'idle') continue;
    const { request, response } = ask(sockets[n] as FakeSocket, { complete: state !== 'arriving' });
    if (state === 'queued') waiting.add(request);
    if (state === 'unread') response.writableEnded = true;
    if (state === 'answered') response.emit('close');
  }
  const late = connect('198.51.100.1');
  expect(open([...sockets, late]).map(Number)).toEqual(isOpen);
  expect(connections.size).toBe(4);
});

test('a connection that closes makes room', () => {
  const { connections, connect } = prepare();
  const sockets = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'].map(connect);
  sockets[2]?.emit('close');
  expect(connections.size).toBe(3);
  connect('198.51.100.1');
  expect(open(sockets)).toEqual([true, true, true, true]);
});

test('four requests at a time on one connection are answered; with the fifth it is closed', () => {
  const { connections, connect, ask } = prepare();
  const socket = connect('192.0.2.1');
  const asked = Array.from({ length: 4 }, () => ask(socket));
  expect(asked.every(({ admitted }) => admitted)).toBe(true);
  asked[0]?.response.emit('close');
  expect(ask(socket).admitted).toBe(true);
  expect(ask(socket).admitted).toBe(false);
  expect(socket.destroyed).toBe(true);
  expect(ask(socket).admitted).toBe(false);
  for (const { response } of asked) response.emit('close');
  expect(connections.size).toBe(0);
});

test.each([
  [20_000, { total: 5_000, perAddress: 256 }],
  [1_024, { total: 824, perAddress: 206 }],
  [256, { total: 128, perAddress: 32 }],
  [Number.POSITIVE_INFINITY, { total: 5_000, perAddress: 256 }],
])('of %s open files, connections get a share that leaves enough for the site', (openFiles, bounds) => {
  expect(connectionBounds(openFiles)).toEqual(bounds);
});

test('unless another number is given, the bounds follow from the open files that this process may have', () => {
  const url = new URL('connections.ts', import.meta.url).href;
  const print = `import('${url}').then(({ connectionBounds }) => console.log(JSON.stringify(connectionBounds())))`;
  const shell = `ulimit -n 256 && exec "$0" -e "$1"`;
  const printed = execFileSync('sh', ['-c', shell, process.execPath, print], { encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual(connectionBounds(256));
});

test('a connection that closes late does not change the count of newer ones from its address', () => {
  const { connections, connect, ask } = prepare({ total: 6, perAddress: 6 });
  const first = connect('192.0.2.1');
  for (let n = 0; n < 5; n++) ask(first);
  expect(first.destroyed).toBe(true);
  const again = Array.from({ length: 6 }, () => connect('192.0.2.1'));
  first.emit('close');
  const visitors = ['198.51.100.1', '198.51.100.2', '198.51.100.3'].map(connect);
  // The crowd of one address makes room for all of them, and they do not have to for each other.
  expect(open(visitors)).toEqual([true, true, true]);
  expect(open(again)).toEqual([false, false, false, true, true, true]);
  expect(connections.size).toBe(6);
});

test('among silent connections the one that still sends stays; among endless requests the newest connection stays', () => {
  const silent = prepare({ total: 100, perAddress: 5 });
  const phone = silent.connect('192.0.2.1');
  silent.ask(phone, { complete: false });
  for (let n = 0; n < 50; n++) silent.connect('192.0.2.1');
  expect(phone.destroyed).toBe(false);

  const endless = prepare({ total: 100, perAddress: 5 });
  const start = () => {
    const socket = endless.connect('192.0.2.1');
    endless.ask(socket, { complete: false });
  };
  for (let n = 0; n < 10; n++) start();
  const visitor = endless.connect('192.0.2.1');
  for (let n = 0; n < 3; n++) start();
  expect(visitor.destroyed).toBe(false);
});
