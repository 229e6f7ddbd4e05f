import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eachStore, type OpenedStore } from '../../../../test/support/each-store.ts';
import { createClock } from '../../../../test/support/stored-submissions.ts';
import type { Store } from './store.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const letter = (due: Date) => ({ name: 'the letter', due, leaseMs: 30 * minute });

describe.each(eachStore())('leases in %s', (_name, { open }) => {
  let opened: OpenedStore;
  let store: Store;
  let clock: ReturnType<typeof createClock>;

  beforeEach(async () => {
    opened = await open();
    store = opened.store;
    clock = createClock();
  });
  afterEach(() => opened.close());

  test('one server claims a job until it is due again, and another one may where the lease ended unfinished', async () => {
    const job = { name: 'mail alarm', everyMs: day, leaseMs: minute };
    const ask = (name = 'mail alarm') => store.claimLease({ ...job, name }, clock.now());
    expect((await Promise.all([ask(), ask(), ask()])).filter(Boolean)).toHaveLength(1);
    expect(await ask('another')).toBe(true);
    clock.advance(minute - 1);
    expect(await ask()).toBe(false);
    // The server with the lease was killed.
    clock.advance(1);
    expect(await ask()).toBe(true);
    await store.finishLease(job, clock.now());
    clock.advance(day - 1);
    expect(await ask()).toBe(false);
    clock.advance(1);
    expect(await ask()).toBe(true);
    await store.finishLease(job, clock.now());
    // The job was finished by a clock that was ahead.
    clock.advance(-day);
    expect(await ask()).toBe(true);
  });

  test('one server claims a job that is due at a moment, until it is finished or the lease has ended', async () => {
    const due = clock.now();
    clock.advance(minute);
    const week = (count: number) => new Date(due.getTime() + 7 * count * day);
    const ask = (at = due, now = clock.now()) => store.claimLease(letter(at), now);
    // The first moment a database hears of is skipped.
    expect([await ask(), await ask()]).toEqual([false, false]);
    clock.advance(7 * day);
    expect((await Promise.all([ask(week(1)), ask(week(1)), ask(week(1))])).filter(Boolean)).toHaveLength(1);
    expect(await store.claimLease({ ...letter(week(1)), name: 'another' }, clock.now())).toBe(false);
    // The server died, or could not finish.
    clock.advance(30 * minute);
    expect((await Promise.all([ask(week(1)), ask(week(1))])).filter(Boolean)).toHaveLength(1);
    await store.finishLease(letter(week(1)), clock.now());
    for (const ms of [0, 30 * minute, 6 * day]) {
      clock.advance(ms);
      expect(await ask(week(1))).toBe(false);
    }
    // A server whose clock is a few minutes behind still asks for last week's.
    expect(await ask(due, new Date(week(1).getTime() - 2 * minute))).toBe(false);
    clock.advance(day);
    expect(await ask(week(2))).toBe(true);
  });

  test('a job that was finished by a clock far ahead is due again by the right clock', async () => {
    const ahead = new Date(clock.now().getTime() + 300 * day);
    await store.claimLease(letter(clock.now()), clock.now());
    await store.finishLease(letter(ahead), clock.now());
    expect(await store.claimLease(letter(clock.now()), clock.now())).toBe(true);
  });
});
