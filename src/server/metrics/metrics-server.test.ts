import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { collectLog } from '../../../test/support/log.ts';
import { exchange, openConnection, statusesIn, wire } from '../../../test/support/raw-http.ts';
import { type MetricsServerParts, serveMetrics } from './metrics-server.ts';

async function prepare(changes: Partial<MetricsServerParts> = {}) {
  let gathered = 0;
  const page = async () => ({ code: 200, type: 'text/plain', body: `figures ${++gathered}` });
  const parts = { port: 0, pages: { '/metrics': page }, log: collectLog().log };
  const server = await serveMetrics({ ...parts, ...changes });
  onTestFinished(() => server.close());
  const { port } = server;
  return { port, url: `http://127.0.0.1:${port}/metrics`, count: () => gathered };
}

test.each(['/', '/metrics/', '/metrics?x', '/help', '/health/live', '//metrics'])(
  'there is nothing at %s',
  async (path) => {
    const { port } = await prepare();
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404);
  },
);

test('figures are only read: any method but GET and HEAD finds nothing', async () => {
  const { url } = await prepare();
  for (const method of ['POST', 'PUT', 'OPTIONS', 'DELETE'])
    expect((await fetch(url, { method })).status).toBe(404);
  const head = await fetch(url, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

test('unless another address is set, only the address 127.0.0.1 is listened on', async () => {
  const { port } = await prepare();
  const other = connect(port, '127.0.0.2');
  expect((await once(other, 'error').catch((error) => [error]))[0]).toMatchObject({ code: 'ECONNREFUSED' });
});

test('an address that is not admitted gets no response', async () => {
  const asked: string[] = [];
  const admits = (address: string) => asked.push(address) === 1;
  const { url } = await prepare({ host: '0.0.0.0', admits });
  expect(await (await fetch(url)).text()).toBe('figures 1');
  await expect(fetch(url)).rejects.toThrow('fetch failed');
  expect(asked).toEqual(['127.0.0.1', '127.0.0.1']);
});

test('a packet with a thousand requests gets one response, and the connection is closed', async () => {
  const { port } = await prepare();
  const one = wire(['GET /metrics HTTP/1.1', 'Host: x']);
  expect(statusesIn(await exchange(port, one.repeat(1_000)))).toEqual([200]);
});

test('long headers and nonsense are refused', async () => {
  const { port } = await prepare();
  const long = wire(['GET /metrics HTTP/1.1', `Host: ${'x'.repeat(20_000)}`]);
  expect(statusesIn(await exchange(port, long))).toEqual([431]);
  expect(statusesIn(await exchange(port, 'nonsense\r\n\r\n'))).toEqual([400]);
});

test('all who ask while figures are gathered get the same ones', async () => {
  const gathering = Promise.withResolvers<void>();
  let gathered = 0;
  const page = async () => {
    gathered++;
    await gathering.promise;
    return { code: 200, type: 'text/plain', body: 'figures' };
  };
  const { port } = await prepare({ pages: { '/metrics': page } });
  const asked = Array.from({ length: 20 }, () => exchange(port, wire(['GET /metrics HTTP/1.1', 'Host: x'])));
  // A response on another path shows that the requests before it have been read.
  await exchange(port, wire(['GET / HTTP/1.1', 'Host: x']));
  gathering.resolve();
  for (const response of await Promise.all(asked)) expect(statusesIn(response)).toEqual([200]);
  expect(gathered).toBe(1);
});

test('more connections than there are slots are closed, and silent ones free theirs', async () => {
  const { port, url } = await prepare();
  const silent = Array.from({ length: 100 }, () => openConnection(port));
  onTestFinished(() => {
    for (const { socket } of silent) socket.destroy();
  });
  // Both those beyond the slots and those that sent nothing are closed by the server.
  await Promise.all(silent.map(({ answered }) => answered));
  expect((await fetch(url)).status).toBe(200);
});
