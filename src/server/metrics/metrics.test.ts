import { expect, test } from 'vitest';
import { inject } from '../../../test/support/app.ts';
import { sampleEntries, withAnswer } from '../../../test/support/forms.ts';
import { hostileAnswers } from '../../../test/support/hostile-answers.ts';
import { prepareMetrics, readSeries } from '../../../test/support/metrics.ts';
import { storeSubmission } from '../../../test/support/stored-submissions.ts';
import { mintToken } from '../../../test/support/tokens.ts';
import { noScriptFields } from '../../model/no-script-fields.ts';
import { submitMutations } from '../../model/operations.ts';
import { createDeliveryWorker } from '../delivery/queue/delivery-worker.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';

test('what is stored is counted by form, once however often it is sent, and with the time it took', async () => {
  const { read, submit } = await prepareMetrics();
  const token = await mintToken();
  for (const form of ['help', 'contact', 'help'] as const) await submit(form);
  for (let time = 0; time < 3; time++) await submit('help', sampleEntries.help, token);
  const text = await read();
  expect(readSeries(text, 'awhina_submissions_stored_total{form="help"}')).toBe(3);
  expect(readSeries(text, 'awhina_submissions_stored_total{form="contact"}')).toBe(1);
  expect(readSeries(text, 'awhina_store_seconds_count')).toBe(4);
  expect(readSeries(text, 'awhina_store_seconds_sum')).toBeGreaterThan(0);
});

test('what is refused is counted by what its sender was told', async () => {
  const { app, store, read, submit } = await prepareMetrics();
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
  const { submit, read } = await prepareMetrics();
  const expiresAt = new Date(Date.now() - 1_000);
  for (let time = 0; time < 2; time++)
    await submit('help', sampleEntries.help, await mintToken({ expiresAt }));
  const text = await read();
  const refused = (reason: string) => readSeries(text, `awhina_tokens_refused_total{reason="${reason}"}`);
  expect(refused('expired')).toBe(2);
  for (const reason of ['malformed', 'forged', 'elsewhere', 'spent']) expect(refused(reason)).toBe(0);
});

test('a form without a script whose token has expired counts as stored, and not as refused too', async () => {
  const { app, read } = await prepareMetrics();
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
  expect(readSeries(text, 'awhina_submissions_stored_total{form="contact"}')).toBe(1);
  expect(text).not.toMatch(/awhina_submissions_refused_total\{.*\} [^0]/);
  expect(readSeries(text, 'awhina_http_responses_total{kind="form",status="2xx"}')).toBe(1);
});

test('a mail that was accepted is counted by form, with the time since the request came', async () => {
  const { store, metrics, log, read } = await prepareMetrics();
  const at = new Date();
  await storeSubmission(store, { form: 'contact', receivedAt: new Date(at.getTime() - 120_000) });
  const send = async () => ({ ok: true }) as const;
  const { onDelivered } = metrics;
  await createDeliveryWorker({ queue: store, send, onDelivered, now: () => at, log }).sendDue();
  const text = await read();
  expect(readSeries(text, 'awhina_deliveries_accepted_total{form="contact"}')).toBe(1);
  expect(readSeries(text, 'awhina_delivery_seconds_bucket{le="60"}')).toBe(0);
  expect(readSeries(text, 'awhina_delivery_seconds_bucket{le="120"}')).toBe(1);
});

test('the canary is in no metric', async () => {
  const { metrics, read } = await prepareMetrics();
  metrics.onStored({ form: 'help', canary: true, seconds: 1 });
  metrics.onDelivered({ form: 'help', canary: true, receivedAt: new Date() }, new Date());
  const text = await read();
  expect(readSeries(text, 'awhina_submissions_stored_total{form="help"}')).toBe(0);
  expect(readSeries(text, 'awhina_store_seconds_count')).toBe(0);
  expect(readSeries(text, 'awhina_deliveries_accepted_total{form="help"}')).toBe(0);
});

test('nothing that is sent, to any URL, appears in the metrics or adds a series', async () => {
  const { app, read, submit } = await prepareMetrics();
  const names = (text: string) =>
    text
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .map((line) => line.replace(/ [^ ]*$/, ''));
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
  expect(names(text).filter((name) => !before.has(name))).toEqual([]);
});
