import { expect, test } from 'vitest';
import { healthy, prepareMetrics, readSeries } from '../../../test/support/metrics.ts';
import { storeSubmission } from '../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { createMetrics } from './metrics.ts';

const day = 24 * 60 * 60_000;

test('the deliveries that wait are counted by state, with the age of the oldest', async () => {
  const { store, read } = await prepareMetrics();
  const now = Date.now();
  const heldUntil = new Date(now + day);
  await storeSubmission(store, { receivedAt: new Date(now - 3_000) });
  for (const one of await store.claimDueDeliveries(new Date(), 1, 60_000, 'new'))
    await store.parkDelivery(one, new Date(), 'SMTP 550 at RCPT TO');
  await storeSubmission(store, { receivedAt: new Date(now - 3_600_000) });
  await storeSubmission(store, { receivedAt: new Date(now), heldUntil });
  const text = await read();
  const count = (form: string, state: string) =>
    readSeries(text, `awhina_deliveries{form="${form}",state="${state}"}`);
  expect(['waiting', 'held', 'parked'].map((state) => count('help', state))).toEqual([1, 1, 1]);
  expect(['waiting', 'held', 'parked'].map((state) => count('contact', state))).toEqual([0, 0, 0]);
  expect(readSeries(text, 'awhina_delivery_oldest_seconds{form="help"}')).toBeGreaterThanOrEqual(3_600);
  expect(readSeries(text, 'awhina_delivery_oldest_seconds{form="contact"}')).toBe(0);
});

test('open requests are counted by form, with the age of the oldest and the urgent ones that nobody has taken', async () => {
  const { store, read } = await prepareMetrics();
  const receivedAt = new Date(Date.now() - day);
  const add = (urgent: boolean) => storeSubmission(store, { receivedAt, urgent });
  const [answered, taken] = [await add(true), await add(true), await add(true), await add(false)];
  await store.recordStep(answered ?? '', 'answered', 'AB', new Date());
  await store.recordStep(taken ?? '', 'taken', 'AB', new Date());
  const text = await read();
  const values = (form: string) =>
    ['open', 'open_urgent_untaken', 'unseen'].map((name) =>
      readSeries(text, `awhina_${name}{form="${form}"}`),
    );
  expect(values('help')).toEqual([3, 1, 2]);
  expect(values('contact')).toEqual([0, 0, 0]);
  expect(readSeries(text, 'awhina_open_oldest_seconds{form="help"}')).toBeGreaterThanOrEqual(day / 1_000);
  expect(readSeries(text, 'awhina_open_oldest_seconds{form="contact"}')).toBe(0);
});

test('a database that cannot be asked leaves no old figures behind', async () => {
  const store = {
    away: false,
    summariseUndelivered: async () => (store.away ? Promise.reject(new Error()) : []),
    summariseOpen: async () => (store.away ? Promise.reject(new Error()) : []),
    summariseUnseen: async () => [],
  };
  const { read, serve } = await prepareMetrics({ store });
  const names = ['awhina_deliveries{form="help",state="waiting"}', 'awhina_open{form="help"}'];
  const values = (text: string) => names.map((name) => readSeries(text, name));
  expect(values(await read())).toEqual([0, 0]);
  store.away = true;
  // A second port, since the first shares its page for a moment.
  expect(values(await read(await serve()))).toEqual([undefined, undefined]);
});

test('what nobody has seen is absent where it alone is not known', async () => {
  const { read } = await prepareMetrics({
    store: {
      summariseUndelivered: async () => [],
      summariseOpen: async () => [],
      summariseUnseen: () => Promise.reject(new Error()),
    },
  });
  const text = await read();
  const values = ['open', 'unseen'].map((name) => readSeries(text, `awhina_${name}{form="help"}`));
  expect(values).toEqual([0, undefined]);
});

test('metrics include health, free disk space, canary and mail server probe', async () => {
  const { read } = await prepareMetrics({
    health: { ready: async () => ({ problems: ['one'], warnings: ['two', 'three'] }), deliveries: healthy },
    canary: async () => ({ succeededAt: new Date(1_000_000), failedAt: null }),
    mailAcceptedAt: () => new Date(2_000_000),
  });
  const text = await read();
  expect(readSeries(text, 'awhina_health{check="ready",grade="problem"}')).toBe(1);
  expect(readSeries(text, 'awhina_health{check="ready",grade="warning"}')).toBe(2);
  expect(readSeries(text, 'awhina_disk_size_bytes')).toBeGreaterThan(
    readSeries(text, 'awhina_disk_free_bytes') ?? Number.POSITIVE_INFINITY,
  );
  expect(readSeries(text, 'awhina_canary_on')).toBe(1);
  expect(readSeries(text, 'awhina_canary_last_success_timestamp_seconds')).toBe(1_000);
  expect(readSeries(text, 'awhina_canary_last_failure_timestamp_seconds')).toBe(0);
  expect(readSeries(text, 'awhina_mail_look_last_success_timestamp_seconds')).toBe(2_000);
  expect(text).toMatch(/awhina_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1/);
});

test('the metrics port, which the web cannot reach, serves the health check with all details', async () => {
  const { port } = await prepareMetrics({
    health: { ready: async () => ({ problems: ['one'], warnings: ['two'] }), deliveries: healthy },
  });
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  const ready = await ask('/health/ready');
  expect(ready.status).toBe(503);
  expect(await ready.json()).toEqual({ status: 'not ready', problems: ['one'], warnings: ['two'] });
  const deliveries = await ask('/health/deliveries');
  expect(deliveries.status).toBe(200);
  expect(await deliveries.json()).toEqual({ status: 'in time' });
  expect((await ask('/health/live')).status).toBe(404);
});

test('where the port is taken the site runs without metrics, and the log says so', async () => {
  const { port, log, lines } = await prepareMetrics();
  const served = await createMetrics().serve({
    ...{
      port,
      health: { ready: healthy, deliveries: healthy },
      dataDir: temporaryFolder(),
      now: () => new Date(),
      log,
    },
    store: {
      summariseUndelivered: async () => [],
      summariseOpen: async () => [],
      summariseUnseen: async () => [],
    },
  });
  expect(served).toBeNull();
  expect(lines.join('')).toContain('metrics not served');
});
