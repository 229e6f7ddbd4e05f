import { expect, test, vi } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { createClock, storeSubmission } from '../../../test/support/stored-submissions.ts';
import { testSecret } from '../../../test/support/tokens.ts';
import { createStaffKeys } from './staff-key.ts';

test('each request gets one response: nothing is logged as a problem, and its own status is counted', async () => {
  const clock = createClock();
  const counted: number[] = [];
  const { app, store, logged } = await prepareApp({
    now: clock.now,
    metrics: { onResponse: (_method, _route, status) => counted.push(status), onRefused: () => {} },
  });
  // A real connection: an injected response is finished before a second one could change its status.
  const site = await app.listen({ host: '127.0.0.1', port: 0 });
  const path = createStaffKeys(testSecret).pathFor(await storeSubmission(store, { receivedAt: clock.now() }));
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
