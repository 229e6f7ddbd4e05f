import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReceiver } from '../../../../test/support/alert-receiver.ts';
import { sqlite } from '../../../../test/support/each-store.ts';
import { claimAlerts } from '../../../../test/support/jobs.ts';
import { collectLog } from '../../../../test/support/log.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { alertDefaults, createAlertWorker } from './alert-worker.ts';
import { type AlertSettings, createPostAlert } from './post-alert.ts';

const minute = 60_000;

/** A store, a clock, and as many servers as are asked for. */
async function prepare() {
  const { store, close } = await sqlite.open();
  onTestFinished(close);
  const clock = createClock(new Date().toISOString());
  const { log, lines } = collectLog();
  const serve = (
    url: string,
    settings: Partial<AlertSettings> = {},
    options: Partial<typeof alertDefaults> = {},
    timeoutMs?: number,
  ) => {
    const post = createPostAlert({ url, body: 'text', headers: [], ...settings }, timeoutMs);
    return createAlertWorker({ queue: store, post, now: clock.now, log, options });
  };
  const storeUrgent = () => storeSubmission(store, { receivedAt: clock.now(), urgent: true, alert: true });
  return { store, clock, lines, serve, storeUrgent };
}

describe('alerts', () => {
  test('three servers send each alert once', async () => {
    const { clock, serve, storeUrgent } = await prepare();
    const { url, texts } = await startReceiver();
    const references = [await storeUrgent(), await storeUrgent(), await storeUrgent()];
    const servers = [serve(url), serve(url), serve(url)];
    await Promise.all(servers.map((server) => server.sendDue()));
    clock.advance(2 * minute);
    await Promise.all(servers.map((server) => server.sendDue()));
    expect(texts().toSorted()).toEqual(
      references.map((one) => `An urgent request came in: ${one}`).toSorted(),
    );
  });

  test('a server that is killed between claim and POST: another one sends the alert once the lease has ended', async () => {
    const { store, clock, serve, storeUrgent } = await prepare();
    const { url, texts } = await startReceiver();
    await storeUrgent();
    await claimAlerts(store, clock.now(), { leaseMs: alertDefaults.leaseMs });
    const server = serve(url);
    await server.sendDue();
    expect(texts()).toEqual([]);
    clock.advance(alertDefaults.leaseMs);
    await server.sendDue();
    expect(texts()).toHaveLength(1);
  });
});

test('an alert has the reference and nothing else of the request, in JSON with the headers that were set', async () => {
  const { serve, storeUrgent, lines } = await prepare();
  const { url, received } = await startReceiver();
  const reference = await storeUrgent();
  await serve(url, {
    body: 'json',
    headers: [
      ['Authorization', 'Bearer tk_secret'],
      ['Priority', 'urgent'],
    ],
  }).sendDue();
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({
    method: 'POST',
    path: '/secret-topic',
    headers: { 'content-type': 'application/json', authorization: 'Bearer tk_secret', priority: 'urgent' },
  });
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({
    reference,
    urgent: true,
    text: `An urgent request came in: ${reference}`,
  });
  expect(lines.join()).toContain('alert sent');
  expect(lines.join()).not.toMatch(/secret/);
});

test('an alert that nobody took says so, as plain text', async () => {
  const { store, clock, serve, storeUrgent } = await prepare();
  const { url, received, texts } = await startReceiver();
  const reference = await storeUrgent();
  const server = serve(url);
  await server.sendDue();
  clock.advance(61 * minute);
  await store.replaceJob({
    ...{ kind: 'alert again', key: `alert:${reference}`, dueAt: clock.now(), reference },
  });
  await server.sendDue();
  expect(texts()).toEqual([
    `An urgent request came in: ${reference}`,
    `Nobody has taken an urgent request yet: ${reference}`,
  ]);
  expect(received[1]?.headers['content-type']).toBe('text/plain; charset=utf-8');
});

test('a receiver that fails is tried again after half a minute at most, and named in a warning until then', async () => {
  const { clock, serve, storeUrgent, lines } = await prepare();
  const { url, texts } = await startReceiver((response, count) =>
    response.writeHead(count === 1 ? 500 : 200).end('the secret words of a receiver'),
  );
  await storeUrgent();
  const server = serve(url);
  expect(await server.findWarning()).toBeNull();
  await server.sendDue();
  expect(await server.findWarning()).toMatch(/^1 alert about urgent requests did not get through .*HTTP 500/);
  await server.sendDue();
  expect(texts()).toHaveLength(1);
  clock.advance(minute / 2);
  await server.sendDue();
  expect(texts()).toHaveLength(2);
  expect(await server.findWarning()).toBeNull();
  expect(lines.join()).not.toContain('secret');
});

test('a redirect is not followed, because a token would go along', async () => {
  const { serve, storeUrgent } = await prepare();
  const elsewhere = await startReceiver();
  const { url, texts } = await startReceiver((response) =>
    response.writeHead(307, { location: elsewhere.url }).end(),
  );
  await storeUrgent();
  const server = serve(url);
  await server.sendDue();
  expect([texts().length, elsewhere.texts().length]).toEqual([1, 0]);
  expect(await server.findWarning()).toContain('HTTP 307');
});

test('a receiver that hangs counts as failed, and one that sends without end is not listened to', async () => {
  const { serve, storeUrgent } = await prepare();
  const hanging = await startReceiver(() => {});
  await storeUrgent();
  const server = serve(hanging.url, {}, {}, 50);
  await server.sendDue();
  expect(await server.findWarning()).toContain('no answer in time');

  const endless = await startReceiver((response) => {
    const chunks = function* () {
      while (true) yield 'x'.repeat(65_536);
    };
    Readable.from(chunks()).pipe(response);
  });
  await storeUrgent();
  await serve(endless.url).sendDue();
  expect(endless.texts()).toHaveLength(1);
});

test('a flood of urgent requests makes one alert a minute that says how many, after the first five', async () => {
  const { clock, serve, storeUrgent, store } = await prepare();
  const { url, texts } = await startReceiver();
  const server = serve(url);
  for (let n = 0; n < 5; n++) await storeUrgent();
  await server.sendDue();
  expect(texts()).toHaveLength(5);
  const references = [];
  for (let n = 0; n < 12; n++) references.push(await storeUrgent());
  clock.advance(59_000);
  await server.sendDue();
  expect(texts()).toHaveLength(5);
  clock.advance(1_000);
  await server.sendDue();
  expect(texts().slice(5)).toEqual([expect.stringMatching(/^12 urgent requests came in: \S+ and 11 more$/)]);
  expect(references.some((one) => texts()[5]?.includes(one))).toBe(true);
  clock.advance(10 * minute);
  expect(await claimAlerts(store, clock.now())).toEqual([]);
});

test('an alert is given up after about a day, and ends when somebody takes the request', async () => {
  const { store, clock, serve, storeUrgent, lines } = await prepare();
  const { url, texts } = await startReceiver((response) => response.writeHead(503).end());
  const server = serve(url, {}, { mostAttempts: 2 });
  await storeUrgent();
  for (let n = 0; n < 5; n++) {
    await server.sendDue();
    clock.advance(20 * minute);
  }
  expect(texts()).toHaveLength(2);
  expect(lines.join()).toContain('alert given up');

  const taken = await storeUrgent();
  await server.sendDue();
  await store.recordStep(taken, 'taken', 'AB', clock.now());
  clock.advance(20 * minute);
  await server.sendDue();
  expect(texts()).toHaveLength(3);
});

test('what came in more than three days ago rings only with a reminder', async () => {
  const { store, clock, serve, storeUrgent } = await prepare();
  const { url, texts } = await startReceiver();
  const reference = await storeUrgent();
  const server = serve(url);
  clock.advance(73 * 60 * minute);
  await server.sendDue();
  expect(texts()).toEqual([]);
  expect(await store.findJob(`alert:${reference}`)).toBeNull();
  await store.replaceJob({
    ...{ kind: 'alert again', key: `alert:${reference}`, dueAt: clock.now(), reference },
  });
  await server.sendDue();
  expect(texts()).toEqual([`Nobody has taken an urgent request yet: ${reference}`]);
});

test('an urgent request wakes the worker, and stop waits for the POST that is under way', async () => {
  const { serve, storeUrgent, lines } = await prepare();
  const posted = Promise.withResolvers<() => void>();
  const { url } = await startReceiver((response) => posted.resolve(() => void response.end()));
  // No poll comes in time.
  const server = serve(url, {}, { pollMs: 24 * 60 * minute });
  server.start();
  await storeUrgent();
  server.wake();
  const respond = await posted.promise;
  const stopped = server.stop();
  respond();
  await stopped;
  expect(lines.join()).toContain('alert sent');
});
