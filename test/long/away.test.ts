import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { isInstalled, type ProxyName, startProxy } from '../support/proxies.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** What the web servers in front show while the site is away. test/away.test.ts holds the page itself. */

/** Until the end of the test; and its port. */
async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

function writePages(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'away.html'), 'the page, with a macron: ā');
  writeFileSync(join(folder, 'away-post.html'), 'not sent');
  return folder;
}

/** A form waits for a site that restarts; here nobody comes back. */
const hurry = (config: string) =>
  config
    .replaceAll(/lb_try_duration \S+/g, 'lb_try_duration 0s')
    .replace('proxy_read_timeout 30s', 'proxy_read_timeout 300ms')
    .replace('response_header_timeout 30s', 'response_header_timeout 300ms');

for (const name of ['nginx', 'caddy'] as const satisfies ProxyName[]) {
  describe.skipIf(!isInstalled(name))(`${name}, which is skipped where it is not installed`, () => {
    test('shows the page on every address while the site is away', async () => {
      const proxy = await startProxy(name, { to: [await freePort()], away: writePages(), edit: hurry });
      for (const path of ['/', '/help', '/assets/old.js?a=b', '/no/such/page']) {
        const { status, headers, text } = await proxy.get(path);
        expect([status, text], path).toEqual([503, 'the page, with a macron: ā']);
        expect(headers).toMatchObject({
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'retry-after': '10',
          'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'$/),
        });
        expect(headers.etag ?? headers['last-modified']).toBeUndefined();
      }
    });

    test('says of a form that it was not sent, to the page’s script in its own words, and to a monitor plainly', async () => {
      const proxy = await startProxy(name, { to: [await freePort()], away: writePages(), edit: hurry });
      const form = await proxy.post('/help', 'application/x-www-form-urlencoded', 'a=b');
      expect([form.status, form.text, form.headers['retry-after']]).toEqual([503, 'not sent', '10']);
      // No form: its page tells how things stand.
      const staff = await proxy.post('/staff/HK7W-3RQX/key', 'application/x-www-form-urlencoded', 'a=b');
      expect([staff.status, staff.text]).toEqual([503, 'the page, with a macron: ā']);

      const call = await proxy.post('/graphql', 'application/json', '{}');
      expect([call.status, call.headers['content-type']]).toEqual([
        503,
        expect.stringMatching(/^application\/json/),
      ]);
      expect(JSON.parse(call.text).errors[0].extensions).toEqual({ code: 'UNAVAILABLE' });
      expect(call.headers['cache-control']).toBe('no-store');

      const health = await proxy.get('/health/ready');
      expect([health.status, health.text.trim()]).toEqual([503, 'away']);
      expect(health.headers['content-type']).toMatch(/^text\/plain/);
    });

    test('shows the page also where the site accepts the request and never answers', async () => {
      const sockets = new Set<Socket>();
      const hung = createTcpServer((socket) => void sockets.add(socket));
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
      });
      const edit = (config: string) => hurry(config).replaceAll(/health_.*\n/g, '');
      const proxy = await startProxy(name, { to: [await listen(hung)], away: writePages(), edit });
      expect(await proxy.get('/help')).toMatchObject({ status: 503, text: 'the page, with a macron: ā' });
    });

    test('passes on what the site itself says of its trouble', async () => {
      const site = createServer((_request, answer) => {
        answer.writeHead(503, { 'content-type': 'text/html', 'x-own': 'yes' }).end('its own page');
      });
      const proxy = await startProxy(name, {
        to: [await listen(site)],
        away: writePages(),
        edit: (config) => hurry(config).replaceAll(/health_.*\n/g, ''),
      });
      for (const asked of [proxy.get('/health/ready'), proxy.post('/help', 'text/plain', 'a')]) {
        const { status, text, headers } = await asked;
        expect([status, text, headers['x-own']]).toEqual([503, 'its own page', 'yes']);
      }
    });

    test('names 111 also where no page was written yet', async () => {
      const proxy = await startProxy(name, { to: [await freePort()], edit: hurry });
      for (const asked of [proxy.get('/help'), proxy.post('/help', 'text/plain', 'a')]) {
        const { status, text, headers } = await asked;
        expect([status, headers['retry-after']]).toEqual([503, '10']);
        expect(text).toMatch(/not sent.*call 111/);
      }
    });

    test('without encryption sends pages on to where there is some, and takes no form', async () => {
      const proxy = await startProxy(name, { to: [await freePort()] });
      const ask = (path: string, method = 'GET') =>
        fetch(proxy.plainUrl + path, {
          method,
          redirect: 'manual',
          ...(method === 'POST' ? { body: 'a=b' } : {}),
        });
      const page = await ask('/help?a=b');
      expect([page.status, page.headers.get('location')]).toEqual([308, 'https://localhost/help?a=b']);
      for (const refused of [ask('/help', 'POST'), ask('/graphql', 'POST'), ask('/graphql')]) {
        const { status, headers } = await refused;
        expect([status, headers.get('location')]).toEqual([403, null]);
      }
      expect(await (await ask('/help', 'POST')).text()).toMatch(/not sent.*https:.*111/);
    });
  });
}

test.skipIf(!isInstalled('nginx'))('nginx answers the challenge of a certificate authority', async () => {
  const proxy = await startProxy('nginx', { to: [await freePort()] });
  const folder = join(proxy.html, '.well-known/acme-challenge');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'token'), 'the answer');
  const answer = await fetch(`${proxy.plainUrl}/.well-known/acme-challenge/token`);
  expect([answer.status, await answer.text()]).toEqual([200, 'the answer']);
});
