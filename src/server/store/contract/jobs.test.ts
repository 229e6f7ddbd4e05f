import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eachStore, type OpenedStore } from '../../../../test/support/each-store.ts';
import { createClock } from '../../../../test/support/stored-submissions.ts';
import { closeGate, type Job, passGate } from './jobs.ts';
import type { Store } from './store.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const which = { kinds: ['letter'], limit: 10, leaseMs: minute, longestMs: 7 * day };

describe.each(eachStore())('jobs in %s', (_name, { open }) => {
  let opened: OpenedStore;
  let store: Store;
  let clock: ReturnType<typeof createClock>;

  beforeEach(async () => {
    opened = await open();
    store = opened.store;
    clock = createClock();
  });
  afterEach(() => opened.close());

  const at = (ms: number) => new Date(clock.now().getTime() + ms);
  const job = (dueAt: Date, mailbox = 'help'): Job => ({ kind: 'letter', key: `letter:${mailbox}`, dueAt });
  const claim = (changes = {}) => store.claimJobs({ ...which, ...changes }, clock.now());
  async function claimOne() {
    const [one] = await claim();
    if (!one) throw new Error('No job is due');
    return one;
  }

  test('a job is claimed once it is due, the oldest first, by one of several servers', async () => {
    await store.addJob(job(at(minute), 'contact'));
    await store.addJob(job(at(0)));
    await store.addJob({ ...job(at(0)), kind: 'canary', key: 'canary' });
    clock.advance(minute);
    const claims = (await Promise.all([claim({ limit: 1 }), claim({ limit: 1 }), claim()])).flat();
    expect(claims.map(({ key }) => key).toSorted()).toEqual(['letter:contact', 'letter:help']);
    expect(await claim()).toEqual([]);
    expect(await claim({ kinds: ['canary'], keys: ['another'] })).toEqual([]);
    expect((await claim({ kinds: ['canary', 'letter'] })).map(({ key }) => key)).toEqual(['canary']);
    clock.advance(minute);
    expect((await claim()).map(({ key }) => key)).toEqual(['letter:help', 'letter:contact']);
  });

  test('a claim whose lease is over changes nothing: another server has the job', async () => {
    await store.addJob(job(at(0)));
    const late = await claimOne();
    clock.advance(minute);
    const next = await claimOne();
    expect(next.attempts).toBe(2);
    expect(await store.completeJob(late)).toBe(false);
    expect(await store.postponeJob(late, { dueAt: at(day) })).toBe(false);
    expect(await store.completeJob(next)).toBe(true);
    expect(await store.findJob('letter:help')).toBeNull();
  });

  test('a postponed job is due again later, with its error and its attempts', async () => {
    await store.addJob(job(at(0)));
    await store.postponeJob(await claimOne(), { dueAt: at(5 * minute), error: 'SMTP 451' });
    expect(await store.findJob('letter:help')).toEqual({ dueAt: at(5 * minute), lastError: 'SMTP 451' });
    clock.advance(5 * minute - 1);
    expect(await claim()).toEqual([]);
    clock.advance(1);
    const again = await claimOne();
    expect(again).toMatchObject({ attempts: 2, lastError: 'SMTP 451', dueAt: at(0) });
    await store.postponeJob(again, { dueAt: at(0), attempts: 0 });
    expect(await claimOne()).toMatchObject({ attempts: 1, lastError: null });
  });

  test('to add a job twice is to add it once; to schedule it again makes it earlier, and never later', async () => {
    const due = async () => (await store.findJob('letter:help'))?.dueAt;
    await store.addJob(job(at(day)));
    await store.addJob(job(at(0)));
    expect(await due()).toEqual(at(day));
    await store.scheduleJob(job(at(2 * day)), clock.now());
    expect(await due()).toEqual(at(day));
    await store.scheduleJob(job(at(minute)), clock.now());
    expect(await due()).toEqual(at(minute));
    clock.advance(minute);
    await claimOne();
    // A server has it.
    await store.scheduleJob(job(at(-minute)), clock.now());
    expect(await due()).toEqual(at(0));
    await store.scheduleJob(job(at(day), 'contact'), clock.now());
    expect(await store.findJob('letter:contact')).toMatchObject({ dueAt: at(day) });
  });

  test('what a clock wrote that was far ahead delays nothing: neither a due time nor a lease', async () => {
    await store.addJob(job(at(8 * day)));
    const ahead = await claimOne();
    await store.postponeJob(ahead, { dueAt: at(6 * day) });
    expect(await claim()).toEqual([]);
    await store.addJob(job(at(0), 'contact'));
    await store.claimJobs(which, at(day));
    expect((await claim()).map(({ key }) => key)).toEqual(['letter:contact']);
  });

  test('a lease so long that it would look like the work of a wrong clock is refused', async () => {
    const refused = await claim({ leaseMs: 16 * minute }).catch((error: Error) => error);
    expect(String((refused as Error).cause ?? refused)).toContain('A lease is too long');
  });

  test('one server passes a gate until it may be passed again, and another one if the first did not close it', async () => {
    const gate = { name: 'mail alarm', everyMs: day, leaseMs: minute };
    const pass = (name = gate.name) => passGate(store, { ...gate, name }, clock.now());
    expect((await Promise.all([pass(), pass(), pass()])).filter(Boolean)).toHaveLength(1);
    expect(await pass('another')).not.toBeNull();
    clock.advance(minute - 1);
    expect(await pass()).toBeNull();
    // The server that passed was killed.
    clock.advance(1);
    const passed = await pass();
    if (!passed) throw new Error('It is shut');
    await closeGate(store, passed, gate, clock.now());
    clock.advance(day - 1);
    expect(await pass()).toBeNull();
    clock.advance(1);
    const again = await pass();
    if (!again) throw new Error('It is shut');
    // By a clock that is ahead.
    await closeGate(store, again, gate, at(2 * day));
    expect(await pass()).not.toBeNull();
  });

  test('a time is recorded and found, and those of tests are forgotten after a day', async () => {
    await store.recordTime('mailbox help', clock.now());
    await store.recordTime('test mail a', clock.now());
    expect(await store.findTime('mailbox help')).toEqual(clock.now());
    clock.advance(day + minute);
    await store.recordTime('test mail b', clock.now());
    expect(await store.findTime('test mail a')).toBeNull();
    expect(await store.findTime('test mail b')).toEqual(clock.now());
    expect(await store.findTime('mailbox help')).toEqual(at(-day - minute));
  });
});
