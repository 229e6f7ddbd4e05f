import { expect, test, vi } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { createClock, storeSubmission } from '../../../test/support/stored-submissions.ts';
import { testSecret } from '../../../test/support/tokens.ts';
import type { AppParts } from '../app.ts';
import type { Press } from '../delivery/letter/thread-mail.ts';
import { notFollowedUp } from '../store/contract/submission.ts';
import { createStaffKeys } from './staff-key.ts';

/** What becomes of a press: it is answered once, the team is told, and the key ends. */

async function prepare(changes: Partial<AppParts> = {}) {
  const clock = createClock();
  const { app, store, logged } = await prepareApp({ now: clock.now, ...changes });
  const reference = await storeSubmission(store, { receivedAt: clock.now() });
  const path = createStaffKeys(testSecret).pathFor(reference);
  const open = (url = path) => app.inject({ url });
  const press = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
        ...headers,
      },
      payload: new URLSearchParams(fields).toString(),
    });
  const followUp = async () => (await store.findSubmission(reference))?.followUp;
  return { app, store, logged, clock, reference, path, open, press, followUp };
}

test('each press that changed something is told to the team once, with the state after it', async () => {
  const told: [string, Press][] = [];
  const { press, clock, reference } = await prepare({
    mailPress: (submission, press) => told.push([submission.reference, press]),
  });
  const at = clock.now();
  const since = String(at.getTime());
  await press({ step: 'taken', by: 'AB' });
  for (const by of ['AB', 'CD']) await press({ step: 'taken', by });
  await press({ step: 'answered', by: 'CD' });
  for (const _ of [1, 2]) await press({ undo: 'answered', since });
  expect(told).toMatchObject([
    [reference, { step: 'taken', isUndo: false, at, followUp: { takenBy: 'AB', answeredBy: null } }],
    [reference, { step: 'answered', isUndo: false, at, followUp: { takenBy: 'AB', answeredBy: 'CD' } }],
    [reference, { step: 'answered', isUndo: true, at, followUp: { takenBy: 'AB', answeredBy: null } }],
  ]);
});

test('seven days after the answer, and for what was answered before follow-ups, a key is no key', async () => {
  const { open, press, followUp, store, clock, path, reference } = await prepare();
  const never = await open('/staff/none');
  const seen = ({ statusCode, headers, body }: typeof never) => {
    const { date: _, connection: __, ...others } = headers;
    return [statusCode, others, body];
  };
  const weekMs = 7 * 24 * 3_600_000;
  const since = String(clock.now().getTime());
  await press({ step: 'answered', by: 'AB' });
  clock.advance(weekMs);
  expect((await open()).statusCode).toBe(200);
  clock.advance(1);
  for (const response of [
    await open(),
    await open(`${path}?now=answered`),
    await press({ undo: 'answered', since }),
    await press({ step: 'taken', by: 'CD' }),
    await press({ step: 'taken', by: '' }),
    await press({}, { 'sec-fetch-site': 'cross-site' }),
    await press({ by: 'A'.repeat(3_000) }),
  ])
    expect(seen(response)).toEqual(seen(never));
  expect(await followUp()).toMatchObject({ takenBy: null, answeredBy: 'AB' });

  // The command undoes it, and the key opens its page again.
  await store.undoStep(reference, 'answered', clock.now());
  clock.advance(weekMs);
  expect((await open()).statusCode).toBe(200);

  const answeredByNobody = async () => {
    const found = await store.findSubmission(reference);
    return found && { ...found, followUp: { ...notFollowedUp, answeredAt: clock.now() } };
  };
  const upgraded = await prepare({ store: { ...store, findSubmission: answeredByNobody } });
  expect(seen(await upgraded.open(path))).toEqual(seen(await upgraded.open('/staff/none')));
});

test('each request gets one response: nothing is logged as a problem, and its own status is counted', async () => {
  const counted: number[] = [];
  const { app, clock, logged, path } = await prepare({
    metrics: { onResponse: (_method, _route, status) => counted.push(status), onRefused: () => {} },
  });
  // A real connection: an injected response is finished before a second one could change its status.
  const site = await app.listen({ host: '127.0.0.1', port: 0 });
  const ask = async (address: string, fields?: Record<string, string>) => {
    const post = { method: 'POST', body: new URLSearchParams(fields) };
    const response = await fetch(site + address, { redirect: 'manual', ...(fields ? post : {}) });
    await response.arrayBuffer();
    return response.status;
  };
  const statuses = [
    await ask(path),
    await ask(path, { step: 'taken', by: 'AB' }),
    await ask(path, { undo: 'taken', since: String(clock.now().getTime()) }),
    await ask(path, { step: 'taken', by: '' }),
    await ask(path, { by: 'A'.repeat(3_000) }),
    await ask('/staff/none'),
  ];
  expect(statuses).toEqual([200, 303, 303, 422, 413, 404]);
  await vi.waitUntil(() => counted.length >= statuses.length);
  expect(counted).toEqual(statuses);
  expect(new Set(logged.map((line) => JSON.parse(line).level))).toEqual(new Set(['debug']));
});
