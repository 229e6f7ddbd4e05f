import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Content, readContent } from '../src/server/content/content.ts';
import type { ContentSource } from '../src/server/content/content-source.ts';
import { composeAwayPage, createAwayPage } from '../src/server/pages/away-page.ts';
import { loadBuiltRenderer } from '../src/server/pages/built-renderer.ts';
import { freePort } from './support/free-port.ts';
import { isInstalled, type ProxyName, startProxy } from './support/proxies.ts';
import { temporaryFolder } from './support/temporary.ts';

/** What a person meets while the site is away: the page that the server wrote, and the web server that shows it. */

const content = await readContent('content');
const renderer = await loadBuiltRenderer();
const compose = (posted = false, changed: Partial<Content> = {}) =>
  composeAwayPage(renderer, { ...content, ...changed }, posted, new Date());

describe('the page', () => {
  test('has 111 first, every helpline, the trust’s own number and address, and the way out', async () => {
    for (const posted of [false, true]) {
      const html = await compose(posted);
      const { lines } = content.helplines;
      const numbers = ['111', ...lines.flatMap(({ phone }) => phone ?? []), content.site.phone ?? ''];
      for (const number of numbers) expect(html).toContain(`href="tel:${number.replaceAll(' ', '')}"`);
      expect(html).toContain(`href="mailto:${content.site.email}"`);
      expect(html).toMatch(new RegExp(`<a href="${content.site.leave.address}" rel="[^"]*noreferrer`));
      expect(/<a [^>]*href="(?!https)([^"]*)"/.exec(html)?.[1]).toBe('tel:111');
    }
  });

  test('says of a form that it was not sent, and leads nobody away from it', async () => {
    const { notSent, tryAgain } = content.site.away;
    const [page, answer] = [await compose(false), await compose(true)];
    expect([page.includes(notSent.heading), answer.includes(notSent.heading)]).toEqual([false, true]);
    expect([page.includes(tryAgain), answer.includes(tryAgain)]).toEqual([true, false]);
  });

  test('fetches nothing and runs nothing, is small, and allows itself its own styles only', async () => {
    const html = await compose();
    expect(html).not.toMatch(/<script|<form|<iframe|url\((?!data:)/);
    const fetched = [...html.matchAll(/(?:src|<link[^>]*href)="([^"]*)"/g)].map(
      ([, address = '']) => address,
    );
    expect(fetched.filter((address) => !address.startsWith('data:'))).toEqual([]);
    const [, css = ''] = /<style>(.*)<\/style>/s.exec(html) ?? [];
    const hash = createHash('sha256').update(css).digest('base64');
    expect(html).toContain(`style-src 'sha256-${hash}'`);
    expect(Buffer.byteLength(html)).toBeLessThan(40_000);
  });

  test('has a trust’s colours, and tells no more in the tab than the other pages', async () => {
    const site = { ...content.site, discreetTitles: true };
    const html = await compose(false, { site, theme: { primary: '#123456' } });
    expect(html).toContain('--primary:#123456');
    expect(html).toContain('<title>Welcome</title>');
  });
});

describe('the files', () => {
  function prepare(folder: string) {
    const world = { content };
    let change: (content: Content) => void | Promise<void> = () => {};
    const source: ContentSource = {
      current: () => world.content,
      fault: () => null,
      onChange(listener) {
        change = listener;
        return () => {};
      },
      close() {},
    };
    const warnings: unknown[] = [];
    const log = { warn: (line: unknown) => void warnings.push(line) };
    const write = createAwayPage({ folder, renderer, content: source, now: () => new Date(), log });
    return { write, world, warnings, change: () => change(world.content) };
  }

  test('can be read by the web server’s user, whatever the umask, and follow the content', async () => {
    const before = process.umask(0o077);
    onTestFinished(() => void process.umask(before));
    const folder = temporaryFolder();
    const { write, world, change } = prepare(folder);
    await write();
    expect(readdirSync(folder).toSorted()).toEqual(['away-post.html', 'away.html']);
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o644);
    world.content = { ...content, site: { ...content.site, phone: '0800 111 222' } };
    await change();
    for (const file of readdirSync(folder))
      expect(readFileSync(join(folder, file), 'utf8')).toContain('tel:0800111222');
  });

  test('that cannot be written are logged, and do not end the server', async () => {
    const blocked = join(temporaryFolder(), 'file');
    writeFileSync(blocked, '');
    const { write, warnings } = prepare(blocked);
    await write();
    expect(warnings).toMatchObject([{ event: 'away page not written' }]);
  });
});

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
