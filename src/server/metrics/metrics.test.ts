import { expect, onTestFinished, test } from 'vitest';
import { inject, prepareApp } from '../../../test/support/app.ts';
import { sampleEntries, withAnswer } from '../../../test/support/forms.ts';
import { hostileAnswers } from '../../../test/support/hostile-answers.ts';
import { keepSubmission } from '../../../test/support/kept-submissions.ts';
import { keepLog } from '../../../test/support/log.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { mintToken, testSecret } from '../../../test/support/tokens.ts';
import { noScriptFields } from '../../model/no-script-fields.ts';
import { submitMutations } from '../../model/operations.ts';
import { createAltcha } from '../bot-check/altcha.ts';
import { createDeliveryWorker } from '../delivery/queue/delivery-worker.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { createSubmit } from '../submissions/submit.ts';
import { createMetrics, type MetricSources } from './metrics.ts';

const day = 24 * 60 * 60_000;
const healthy = async () => ({ problems: [], warnings: [] });

/** The app with real parts, counted, and its figures on a port of their own. */
async function prepare(changes: Partial<MetricSources> = {}) {
  const metrics = createMetrics();
  const dataDir = temporaryFolder();
  const store = await openSqliteStore(dataDir);
  onTestFinished(() => store.close());
  const now = () => new Date();
  const botCheck = createAltcha(testSecret);
  const submitForm = createSubmit({
    ...{ store, botCheck, now, onTokenRefused: metrics.onTokenRefused },
    onStored: (_receipt, stored) => metrics.onStored(stored),
  });
  const { app } = await prepareApp({ botCheck, submitForm, metrics });
  const { log, lines } = keepLog();
  async function serve() {
    const well = { ready: healthy, deliveries: healthy };
    const server = await metrics.serve({ port: 0, health: well, store, dataDir, now, log, ...changes });
    if (!server) throw new Error(lines.join(''));
    onTestFinished(() => server.close());
    return server.port;
  }
  const port = await serve();
  const read = async (from = port) => (await fetch(`http://127.0.0.1:${from}/metrics`)).text();
  const submit = async (form: 'help' | 'contact', fields: object[] = sampleEntries[form], token?: string) =>
    inject(app, submitMutations[form], { fields, recaptchaToken: token ?? (await mintToken()) });
  return { app, store, port, serve, read, submit, lines, metrics, log };
}

/** The value of a series, or undefined where there is none. */
function readSeries(text: string, series: string): number | undefined {
  const line = text.split('\n').find((one) => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

test('what is stored is counted by form, once however often it is sent, and with the time it took', async () => {
  const { read, submit } = await prepare();
  const token = await mintToken();
  for (const form of ['help', 'contact', 'help'] as const) await submit(form);
  for (let time = 0; time < 3; time++) await submit('help', sampleEntries.help, token);
  const text = await read();
  expect(readSeries(text, 'awhina_submissions_kept_total{form="help"}')).toBe(3);
  expect(readSeries(text, 'awhina_submissions_kept_total{form="contact"}')).toBe(1);
  expect(readSeries(text, 'awhina_keeping_seconds_count')).toBe(4);
  expect(readSeries(text, 'awhina_keeping_seconds_sum')).toBeGreaterThan(0);
});

test('what is refused is counted by what its sender was told', async () => {
  const { app, store, read, submit } = await prepare();
  await submit('help', withAnswer(sampleEntries.help, 'FirstName', ''));
  await submit('contact', sampleEntries.contact, 'no token');
  store.findByToken = async () => {
    throw new StoreUnavailable('away');
  };
  await submit(
    'contact',
    sampleEntries.contact,
    await mintToken({ expiresAt: new Date(Date.now() - 1_000) }),
  );
  let limited = 0;
  for (let time = 0; time < 92; time++) {
    const response = await app.inject({
      method: 'POST',
      url: '/graphql',
      payload: { query: submitMutations.help, variables: { fields: [], recaptchaToken: 'none' } },
    });
    if (response.json().errors[0].extensions.code === 'RATE_LIMITED') limited++;
  }
  expect(limited).toBeGreaterThan(0);
  const text = await read();
  const refused = (form: string, cause: string) =>
    readSeries(text, `awhina_submissions_refused_total{form="${form}",cause="${cause}"}`);
  expect(refused('help', 'bad_answers')).toBe(1);
  expect(refused('contact', 'bot_check')).toBe(1);
  expect(refused('contact', 'unavailable')).toBe(1);
  expect(refused('help', 'rate_limited')).toBe(limited);
});

test('refused tokens are counted by what is wrong with them', async () => {
  const { submit, read } = await prepare();
  const expiresAt = new Date(Date.now() - 1_000);
  for (let time = 0; time < 2; time++)
    await submit('help', sampleEntries.help, await mintToken({ expiresAt }));
  const text = await read();
  const refused = (reason: string) => readSeries(text, `awhina_tokens_refused_total{reason="${reason}"}`);
  expect(refused('expired')).toBe(2);
  for (const reason of ['malformed', 'forged', 'elsewhere', 'spent']) expect(refused(reason)).toBe(0);
});

test('a form without a script whose token has expired counts as stored, and not as refused too', async () => {
  const { app, read } = await prepare();
  const token = await mintToken({ expiresAt: new Date(Date.now() - 1_000) });
  const payload = new URLSearchParams({
    FirstName: 'Sample',
    Subject: 'One',
    Message: 'Two',
    [noScriptFields.token]: token,
  });
  payload.set('Email', 'sample@visitor.example');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };
  const { statusCode } = await app.inject({
    ...{ method: 'POST', url: '/contact', headers, payload: payload.toString() },
  });
  expect(statusCode).toBe(200);
  const text = await read();
  expect(readSeries(text, 'awhina_submissions_kept_total{form="contact"}')).toBe(1);
  expect(text).not.toMatch(/awhina_submissions_refused_total\{.*\} [^0]/);
  expect(readSeries(text, 'awhina_answers_total{kind="form",status="2xx"}')).toBe(1);
});

test('the deliveries that wait are counted by state, with the age of the oldest', async () => {
  const { store, read } = await prepare();
  const now = Date.now();
  const heldUntil = new Date(now + day);
  await keepSubmission(store, { receivedAt: new Date(now - 3_000) });
  for (const one of await store.claimDueDeliveries(new Date(), 1, 60_000, 'new'))
    await store.parkDelivery(one, new Date(), 'SMTP 550 at RCPT TO');
  await keepSubmission(store, { receivedAt: new Date(now - 3_600_000) });
  await keepSubmission(store, { receivedAt: new Date(now), heldUntil });
  const text = await read();
  const count = (form: string, state: string) =>
    readSeries(text, `awhina_deliveries{form="${form}",state="${state}"}`);
  expect(['waiting', 'held', 'parked'].map((state) => count('help', state))).toEqual([1, 1, 1]);
  expect(['waiting', 'held', 'parked'].map((state) => count('contact', state))).toEqual([0, 0, 0]);
  expect(readSeries(text, 'awhina_delivery_oldest_seconds{form="help"}')).toBeGreaterThanOrEqual(3_600);
  expect(readSeries(text, 'awhina_delivery_oldest_seconds{form="contact"}')).toBe(0);
});

test('a mail that was accepted is counted by form, with the time since the request came', async () => {
  const { store, metrics, log, read } = await prepare();
  const at = new Date();
  await keepSubmission(store, { form: 'contact', receivedAt: new Date(at.getTime() - 120_000) });
  const send = async () => ({ ok: true }) as const;
  const { onDelivered } = metrics;
  await createDeliveryWorker({ queue: store, send, onDelivered, now: () => at, log }).sendDue();
  const text = await read();
  expect(readSeries(text, 'awhina_deliveries_delivered_total{form="contact"}')).toBe(1);
  expect(readSeries(text, 'awhina_delivery_seconds_bucket{le="60"}')).toBe(0);
  expect(readSeries(text, 'awhina_delivery_seconds_bucket{le="120"}')).toBe(1);
});

test('what the site sends itself is in none of them', async () => {
  const { metrics, read } = await prepare();
  metrics.onStored({ form: 'help', canary: true, seconds: 1 });
  metrics.onDelivered({ form: 'help', canary: true, receivedAt: new Date() }, new Date());
  const text = await read();
  expect(readSeries(text, 'awhina_submissions_kept_total{form="help"}')).toBe(0);
  expect(readSeries(text, 'awhina_keeping_seconds_count')).toBe(0);
  expect(readSeries(text, 'awhina_deliveries_delivered_total{form="help"}')).toBe(0);
});

test('a database that cannot be asked leaves no old figures behind', async () => {
  const store = {
    away: false,
    summariseUndelivered: async () => (store.away ? Promise.reject(new Error()) : []),
  };
  const { read, serve } = await prepare({ store });
  expect(readSeries(await read(), 'awhina_deliveries{form="help",state="waiting"}')).toBe(0);
  store.away = true;
  // A second port, since the first shares its page for a moment.
  expect(
    readSeries(await read(await serve()), 'awhina_deliveries{form="help",state="waiting"}'),
  ).toBeUndefined();
});

test('what /health says, the room on the disk, the canary and the look at the mail server are there', async () => {
  const { read } = await prepare({
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

test('on that port, which the web cannot reach, the health of the site is told in full', async () => {
  const { port } = await prepare({
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

test('whatever is sent, to whatever address, no word of it and no series more is there afterwards', async () => {
  const { app, read, submit } = await prepare();
  const names = (text: string) =>
    text
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.replace(/ [^ ]*$/, ''));
  await read();
  const before = new Set(names(await read()));
  const word = 'whakamārama-word';
  const asWritten = ['whakam', 'marama-word', '203.0.113', 'visitor.example', 'Sample', 'HTTPX'];
  for (const url of [
    `/${word}`,
    `/help?${word}`,
    `/photos/${word}/${word}.avif`,
    `/assets/${word}.js`,
    `/%zz${word}`,
  ])
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS'] as const)
      await app.inject({
        ...{ method, url: encodeURI(url), remoteAddress: '203.0.113.9', payload: word },
        headers: {
          'content-type': `text/${asWritten[0]}`,
          'user-agent': 'HTTPX',
          [`x-${asWritten[0]}`]: '1',
        },
      });
  for (const text of hostileAnswers.slice(0, 20))
    await submit('help', withAnswer(sampleEntries.help, 'Message', `${word} ${text}`));
  await submit('help', [{ key: word, value: `awhina_${word}{form="x"} 1\n` }]);
  await submit('contact', sampleEntries.contact, word);
  await inject(app, `query ${asWritten[0]} { ${asWritten[0]} }`);
  const text = await read();
  for (const one of asWritten) expect(text).not.toContain(one);
  // But for collections of the garbage of another kind, which are there once there was one.
  const added = names(text).filter((name) => !before.has(name) && !name.startsWith('nodejs_gc_duration'));
  expect(added).toEqual([]);
});

test('where the port is taken the site goes on without figures, and the log says so', async () => {
  const { port, log, lines } = await prepare();
  const served = await createMetrics().serve({
    ...{
      port,
      health: { ready: healthy, deliveries: healthy },
      dataDir: temporaryFolder(),
      now: () => new Date(),
      log,
    },
    store: { summariseUndelivered: async () => [] },
  });
  expect(served).toBeNull();
  expect(lines.join('')).toContain('metrics not served');
});
