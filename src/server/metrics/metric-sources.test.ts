import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { healthy, prepareMetrics, readSeries } from '../../../test/support/metrics.ts';
import { storeSubmission } from '../../../test/support/stored-submissions.ts';
import { claimMail, parkMail } from '../store/contract/mail-jobs.ts';

const day = 24 * 60 * 60_000;

test('the deliveries that wait are counted by state, with the age of the oldest', async () => {
  const { store, read } = await prepareMetrics();
  const now = Date.now();
  const heldUntil = new Date(now + day);
  await storeSubmission(store, { receivedAt: new Date(now - 3_000) });
  for (const one of await claimMail(store, new Date(), 1, 60_000, 'new'))
    await parkMail(store, one, new Date(), 'SMTP 550 at RCPT TO');
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
    ['open', 'urgent_untaken', 'unseen'].map((name) =>
      readSeries(text, `awhina_submissions_${name}{form="${form}"}`),
    );
  expect(values('help')).toEqual([3, 1, 2]);
  expect(values('contact')).toEqual([0, 0, 0]);
  expect(readSeries(text, 'awhina_submissions_open_oldest_seconds{form="help"}')).toBeGreaterThanOrEqual(
    day / 1_000,
  );
  expect(readSeries(text, 'awhina_submissions_open_oldest_seconds{form="contact"}')).toBe(0);
});

test('a database that cannot be asked leaves no old figures behind', async () => {
  const store = {
    away: false,
    summariseUndelivered: async () => (store.away ? Promise.reject(new Error()) : []),
    summariseOpen: async () => (store.away ? Promise.reject(new Error()) : []),
    // What nobody has seen may be all that is not known.
    summariseUnseen: () => Promise.reject(new Error()),
  };
  const { read } = await prepareMetrics({ store });
  const names = ['deliveries{form="help",state="waiting"}', 'submissions_open{form="help"}'];
  const values = (text: string) =>
    [...names, 'submissions_unseen{form="help"}'].map((name) => readSeries(text, `awhina_${name}`));
  expect(values(await read())).toEqual([0, 0, undefined]);
  store.away = true;
  expect(values(await read())).toEqual([undefined, undefined, undefined]);
});

test('metrics include health, free disk space, canary and mail server probe', async () => {
  const { read } = await prepareMetrics({
    health: {
      ready: async () => ({ problems: ['one'], warnings: ['two', 'three'], forStaff: [] }),
      deliveries: healthy,
    },
    canary: async () => ({ succeededAt: new Date(1_000_000) }),
    mailAcceptedAt: () => new Date(2_000_000),
  });
  const text = await read();
  expect(readSeries(text, 'awhina_health{check="ready",grade="problem"}')).toBe(1);
  expect(readSeries(text, 'awhina_health{check="ready",grade="warning"}')).toBe(2);
  expect(readSeries(text, 'awhina_disk_size_bytes')).toBeGreaterThan(
    readSeries(text, 'awhina_disk_free_bytes') ?? Number.POSITIVE_INFINITY,
  );
  expect(readSeries(text, 'awhina_canary_enabled')).toBe(1);
  expect(readSeries(text, 'awhina_canary_last_success_timestamp_seconds')).toBe(1_000);
  expect(readSeries(text, 'awhina_mail_probe_last_success_timestamp_seconds')).toBe(2_000);
  expect(text).toMatch(/awhina_build_info\{version="\d+\.\d+\.\d+",node="\d+\.\d+\.\d+"\} 1/);
});

test('metrics are for whom health tells its details, and gathered once for all who ask together', async () => {
  let gathered = 0;
  const gatherMetrics = async () => `figures ${++gathered}`;
  const monitorKey = 'a-key-of-the-monitor-alone';
  const { app } = await prepareApp({ gatherMetrics, monitorKey });
  const ask = (changes: object) => app.inject({ url: '/metrics', ...changes });
  const remoteAddress = '203.0.113.9';
  const refused = [
    { remoteAddress },
    { remoteAddress, headers: { authorization: 'Bearer another-key-of-a-monitor' } },
    { headers: { 'x-forwarded-for': '127.0.0.1' } },
  ];
  for (const { statusCode, body } of await Promise.all(refused.map(ask)))
    expect([statusCode, body]).toEqual([401, '{"error":"This needs the MONITOR_KEY"}']);
  expect(gathered).toBe(0);

  const admitted = [
    {},
    { headers: { 'user-agent': 'Prometheus/3.5.0', 'x-prometheus-scrape-timeout-seconds': '10' } },
    { remoteAddress, headers: { authorization: `Bearer ${monitorKey}` } },
  ];
  for (const { statusCode, body, headers } of await Promise.all(admitted.map(ask))) {
    expect([statusCode, body]).toEqual([200, 'figures 1']);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      'cache-control': 'no-store',
    });
  }
});
