import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eachStore, type OpenedStore } from '../../../../test/support/each-store.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { claimMail } from './mail-jobs.ts';
import type { Store } from './store.ts';

const leaseMs = 60_000;
const minute = 60_000;

describe.each(eachStore())('urgent deliveries in %s', (_name, { open }) => {
  let opened: OpenedStore;
  let store: Store;
  let clock: ReturnType<typeof createClock>;

  beforeEach(async () => {
    opened = await open();
    store = opened.store;
    clock = createClock();
  });
  afterEach(() => opened.close());

  const claim = (limit = 10, which: 'new' | 'retry' = 'new') =>
    claimMail(store, clock.now(), limit, leaseMs, which);

  test('an urgent delivery goes before one that waits longer, among new and retried ones alike', async () => {
    await storeSubmission(store, { receivedAt: clock.now() });
    clock.advance(1);
    const urgent = await storeSubmission(store, { receivedAt: clock.now(), urgent: true });
    const [first] = await claim(1);
    expect(first?.submission).toMatchObject({ reference: urgent, delivery: { urgent: true } });
    await claim();
    clock.advance(leaseMs);
    expect(await claim()).toEqual([]);
    expect((await claim(1, 'retry')).map((one) => one.submission.reference)).toEqual([urgent]);
  });

  test('other deliveries wait at most an hour for urgent ones, however many come in', async () => {
    const other = await storeSubmission(store, { receivedAt: clock.now() });
    clock.advance(60 * minute - 1);
    const soon = await storeSubmission(store, { receivedAt: clock.now(), urgent: true });
    clock.advance(2);
    await storeSubmission(store, { receivedAt: clock.now(), urgent: true });
    expect((await claim(2)).map((one) => one.submission.reference)).toEqual([soon, other]);
  });

  test('the first of each sender goes before the second of any, urgent or not', async () => {
    const order = [];
    for (const changes of [{ urgent: true }, { urgent: true, rank: 2 }, {}, { rank: 2 }]) {
      clock.advance(1);
      order.push(await storeSubmission(store, { receivedAt: clock.now(), ...changes }));
    }
    const [first, second, calm] = order;
    expect((await claim(1)).map((one) => one.submission.reference)).toEqual([first]);
    expect((await claim(1)).map((one) => one.submission.reference)).toEqual([calm]);
    expect((await claim(1)).map((one) => one.submission.reference)).toEqual([second]);
  });
});
