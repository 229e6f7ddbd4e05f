import { globSync, statSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { attackedServer } from '../support/attacked-server.ts';
import { openConnections, pipelined, residentMegabytes, visitAll } from '../support/attackers.ts';
import { exchange } from '../support/raw-http.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { trustTheVisitor } from '../support/visitor.ts';

/**
 * Four requests in hand a connection at about 20 kB each, answers that all share the same memory, and 64 kB of a body:
 * 800 connections can hold some 100 MB; the rest is room for the garbage of a moment. It was 3.7 GB with a hundred.
 */
const boundMegabytes = 300;

const [largest = ''] = globSync('content/photos/rendered/*/*').sort(
  (a, b) => statSync(b).size - statSync(a).size,
);
const largestPicture = largest.replace('content/photos/rendered', '/photos');

async function start(): Promise<TestServer> {
  const server = await startServer({ DATA_DIR: temporaryFolder(), ...trustTheVisitor });
  onTestFinished(async () => void (await server.end()));
  await visitAll(server.url, 3);
  return server;
}

async function growthUnder(server: TestServer, connections: number, bytes: string): Promise<number> {
  const before = residentMegabytes(server.process.pid);
  let peak = before;
  for (let wave = 0; wave < 3; wave++) {
    const attack = await openConnections(server.url, connections, bytes);
    onTestFinished(() => attack.end());
    for (let visits = 0; visits < 10; visits++) {
      expect(await visitAll(server.url, 1)).toEqual([200]);
      peak = Math.max(peak, residentMegabytes(server.process.pid));
    }
  }
  return peak - before;
}

test.each(['/', '/health/ready', largestPicture])(
  'a hundred connections that each request %s two thousand times and read nothing cost little memory',
  async (path) => {
    const server = await start();
    expect(await growthUnder(server, 100, pipelined(path, 2_000))).toBeLessThan(boundMegabytes);
  },
);

test('eight hundred connections with as many requests as one may have, which read nothing, cost little memory', async () => {
  const server = await start();
  expect(await growthUnder(server, 800, pipelined(largestPicture, 4))).toBeLessThan(boundMegabytes);
});

/** For the tests in which memory is not measured. */
const shared = attackedServer();

test('four requests sent at once are answered in order; with more at once the connection is closed', async () => {
  const port = shared.port();
  const last = 'GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  const four = await exchange(port, pipelined('/robots.txt', 3) + last);
  expect(four.match(/^HTTP\/1\.1 200/gm)).toHaveLength(4);
  expect(four).toMatch(/"status":"live"}$/);
  const five = await exchange(port, pipelined('/robots.txt', 4) + last);
  expect((five.match(/HTTP\/1\.1 200/g) ?? []).length).toBeLessThan(5);
});

test.each([
  ['without a host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['that expect what nobody knows', 'GET /help HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n', 417],
])(
  'of a thousand requests %s in one packet one is answered, and the connection ends',
  async (_what, request, status) => {
    const answer = await exchange(shared.port(), request.repeat(1_000));
    expect(answer.match(/HTTP\/1\.1 \d{3}/g)).toEqual([`HTTP/1.1 ${status}`]);
    expect(answer).toMatch(/connection: close/i);
    expect(answer).toMatch(/x-content-type-options: nosniff/i);
  },
);
