import { once } from 'node:events';
import { watch, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';

import { forms } from '../../src/model/forms.ts';
import { submitMutations } from '../../src/model/operations.ts';
import { maxPostBytes } from '../../src/server/http/client-limits.ts';
import { listen } from '../support/canary.ts';
import { sampleEntries } from '../support/forms.ts';
import { freePort } from '../support/free-port.ts';
import { isInstalled, type ProxyName, type RunningProxy, startProxy } from '../support/proxies.ts';
import { startServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { mintToken } from '../support/tokens.ts';

/** The two web servers for which deploy/ has a file, each for real. */

/** A site that tells what it was asked: on any port, or on the first free one from a hundred on. */
async function startEcho(from = 0): Promise<number> {
  const server = createServer((request, answer) => {
    const tell = (body: string) => answer.end(JSON.stringify({ body, headers: request.headers }));
    text(request).then(tell, () => answer.destroy());
  });
  for (let port = from; ; port++) {
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      break;
    } catch (error) {
      if (port === from + 99) throw error;
    }
  }
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A site that has the scripts of this build alone. */
async function startBuild(build: string): Promise<number> {
  const url = await listen((request, answer) => {
    if (!['/health/live', `/assets/form-${build}.js`].includes(request.url ?? '')) answer.statusCode = 404;
    answer.end(build);
  });
  return Number(new URL(url).port);
}

async function sendForm(proxy: RunningProxy): Promise<string> {
  const variables = { fields: sampleEntries.help, recaptchaToken: await mintToken() };
  const body = JSON.stringify({ query: submitMutations.help, variables });
  const { status, text } = await proxy.post('/graphql', 'application/json', body);
  return status === 200 ? JSON.parse(text).data[forms.help.operations.submit].reference : `${status} ${text}`;
}

/** Forty at once, each with its own words: how many were taken, and which with words that were not theirs. */
async function sendLetters(proxy: RunningProxy): Promise<{ taken: number; mixedUp: string[] }> {
  const letters = Array.from({ length: 40 }, (_, i) => `${i} `.repeat(2_000));
  const answers = await Promise.all(letters.map((letter) => proxy.post('/help', 'text/plain', letter)));
  const bodies = answers.map(({ status, text }) => (status === 200 ? `${JSON.parse(text).body}` : undefined));
  const mixedUp = bodies.filter((body, i) => body !== undefined && body !== letters[i]) as string[];
  return { taken: bodies.filter((body) => body !== undefined).length, mixedUp };
}

const reference = /^[A-Z0-9]{4}-[A-Z0-9]{4}$/;
const letter = 'a'.repeat(maxPostBytes);
const formType = 'application/x-www-form-urlencoded';
const settings = (data: string) => ({ DATA_DIR: data, TRUST_PROXY: '127.0.0.1' });

/** What appears in the folder while this is done, however soon it is gone again. */
async function filesMade(folder: string, act: () => Promise<unknown>): Promise<string[]> {
  const names: string[] = [];
  const watcher = watch(folder, (_event, name) => names.push(`${name}`));
  await act();
  // Events come in order: once a file of our own is seen, all before it have been.
  writeFileSync(join(folder, 'last'), '');
  await expect.poll(() => names).toContain('last');
  watcher.close();
  return names.filter((name) => name !== 'last');
}

for (const name of ['nginx', 'caddy'] as const satisfies ProxyName[]) {
  describe.skipIf(!isInstalled(name))(`${name}, which is skipped where it is not installed`, () => {
    test('serves the pages over HTTP/2, takes a form, tells while the site restarts where help is, and is there at once after it', async () => {
      const data = temporaryFolder();
      const away = temporaryFolder();
      const first = await startServer({ ...settings(data), AWAY_DIR: away });
      const port = Number(new URL(first.url).port);
      // A busy machine may need longer for a start than a form waits.
      const edit = (config: string) => config.replace('lb_try_duration 6s', 'lb_try_duration 60s');
      const proxy = await startProxy(name, { to: [port], away, edit });
      expect((await proxy.get('/help')).text).toContain('<form');
      expect(await sendForm(proxy)).toMatch(reference);
      // A visitor is not told of it, though the proxy asks from this machine. This machine is.
      const own = async () => (await fetch(`${first.url}/health/deliveries`)).text();
      await expect.poll(own).toContain('that nobody has read');
      expect((await proxy.get('/health/deliveries')).text).toBe('{"status":"in time"}');

      expect(await first.end()).toBe(0);
      const { status, text: page } = await proxy.get('/help');
      expect([status, page.includes('href="tel:111"'), page.includes('<form')]).toEqual([503, true, false]);
      // By now Caddy has seen that the site is away, and a form waits. nginx knows no waiting.
      const waiting = name === 'caddy' ? proxy.post('/help', formType, 'FirstName=Sample') : null;
      const second = await startServer({ ...settings(data), PORT: `${port}` });
      onTestFinished(async () => void (await second.end('SIGKILL')));
      // The site's own answer: the form again, with what is missing.
      expect((await waiting)?.status ?? 422).toBe(422);
      expect(await sendForm(proxy)).toMatch(reference);
    });

    test('of two servers the one that is running gets every form', async () => {
      const proxy = await startProxy(name, { to: [await freePort(), await startEcho()] });
      // Caddy asks each server every second how it is, and may not have asked yet.
      await expect.poll(async () => (await sendLetters(proxy)).taken).toBe(40);
      expect(await sendLetters(proxy)).toEqual({ taken: 40, mixedUp: [] });
    });

    test('finds a script at either of two servers, which differ while they are upgraded', async () => {
      const proxy = await startProxy(name, { to: [await startBuild('old'), await startBuild('new')] });
      for (const build of ['old', 'new', 'old', 'new', 'new', 'old', 'old'])
        expect(await proxy.get(`/assets/form-${build}.js`)).toMatchObject({ status: 200, text: build });
      expect(await proxy.get('/assets/form-none.js')).toMatchObject({ status: 404 });
    });

    test('a script that is nowhere is not found, and no page says that the site is away, while a server is down', async () => {
      for (const to of [
        [await startBuild('old'), await freePort()],
        [await freePort(), await startBuild('old')],
      ]) {
        const proxy = await startProxy(name, { to });
        for (let asked = 0; asked < 4; asked++)
          expect(await proxy.get('/assets/form-none.js')).toMatchObject({ status: 404 });
      }
      const away = await startProxy(name, { to: [await freePort(), await freePort()] });
      expect(await away.get('/assets/form-none.js')).toMatchObject({ status: 503 });
    });

    test('a form that is tried on a second server has what its own visitor wrote', async () => {
      // Caddy must find out for each form that the first server is away.
      const edit = (config: string) =>
        config.replaceAll(/health_.*\n/g, '').replace('lb_try_duration 6s', 'lb_try_duration 1s');
      const proxy = await startProxy(name, { to: [await freePort(), await startEcho()], edit });
      const rounds = [];
      for (let round = 0; round < 3; round++) rounds.push(await sendLetters(proxy));
      expect(rounds.flatMap(({ mixedUp }) => mixedUp)).toEqual([]);
      expect(rounds.every(({ taken }) => taken > 0)).toBe(true);
    });

    test('tells the site who asks, and not what a visitor says of it', async () => {
      const proxy = await startProxy(name, { to: [await startEcho()] });
      const { headers } = JSON.parse((await proxy.get('/')).text);
      expect(headers['x-forwarded-for']).toMatch(/^(127\.0\.0\.1|::1)$/);
      expect(headers['x-forwarded-proto']).toBe('https');
      expect(headers.host).toMatch(/^localhost/);
    });

    test('logs nothing about a visitor, not even while the site is away', async () => {
      const edit = (config: string) => config.replaceAll(/lb_try_duration \S+/g, 'lb_try_duration 0s');
      const proxy = await startProxy(name, { to: [await freePort()], edit });
      expect((await proxy.get('/help?CANARY')).status).toBeGreaterThan(500);
      expect((await proxy.post('/help', 'text/plain', 'x'.repeat(400_000))).status).toBeGreaterThan(400);
      expect(proxy.logs()).not.toMatch(/127\.0\.0\.1(?!:)|::1|203\.0\.113|CANARY|\/help/);
    });

    test('finds a site whose port begins with the number of its own', async () => {
      for (const likeIts of [44_300, 8_000]) {
        const proxy = await startProxy(name, { to: [await startEcho(likeIts)] });
        expect((await proxy.get('/')).status).toBe(200);
      }
    });

    test('takes the longest letter the site takes', async () => {
      const proxy = await startProxy(name, { to: [await startEcho()] });
      const { text: said } = await proxy.post('/help', 'text/plain', letter);
      expect(JSON.parse(said).body).toBe(letter);
    });
  });
}

test.skipIf(!isInstalled('nginx'))('nginx writes no letter to a file, as it would by default', async () => {
  const to = [await startEcho()];
  const made = async (edit: (config: string) => string) => {
    const proxy = await startProxy('nginx', { to, edit });
    return filesMade(proxy.bodies, () => proxy.post('/help', 'text/plain', letter));
  };
  expect(await made((config) => config)).toEqual([]);
  expect(await made((config) => config.replace(/client_body_buffer_size .*;/, ''))).not.toEqual([]);
});
