import { expect, onTestFinished, test } from 'vitest';
import { sqlite } from '../../../test/support/each-store.ts';
import { collectLog } from '../../../test/support/log.ts';
import { makeDue, serverWith } from '../../../test/support/recurring.ts';
import { createClock } from '../../../test/support/stored-submissions.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { lastNzTimeOfDay, nextNzTimeOfDay } from '../time/nz-time.ts';
import { createRecurringJobs, type Outcome, type RecurringJob } from './recurring-jobs.ts';

const minute = 60_000;
const hour = 60 * minute;

/** At nine every morning in New Zealand; now it is half past eight. */
async function prepare() {
  const { store, close } = await sqlite.open();
  onTestFinished(close);
  const clock = createClock('2026-11-15T19:30:00.000Z');
  const done: string[] = [];
  const job = (name: string, run: () => Promise<Outcome> = async () => 'done'): RecurringJob => ({
    key: `sample:${name}`,
    failed: 'canary not sent',
    last: (at) => lastNzTimeOfDay(at, '09:00'),
    next: (at) => nextNzTimeOfDay(at, '09:00'),
    run: async (due) => {
      done.push(`${name} ${due.toISOString()}`);
      return run();
    },
  });
  /** One of several servers, whose clock is this much ahead. */
  const server = (jobs: RecurringJob[], aheadMs = 0, log = collectLog().log) =>
    serverWith({ store, jobs, log, now: () => new Date(clock.now().getTime() + aheadMs) });
  return { store, clock, done, job, server };
}

test('servers whose clocks are minutes apart do a job once at its moment', async () => {
  const { clock, done, job, server } = await prepare();
  const servers = [server([job('a')], -5 * minute), server([job('a')]), server([job('a')], 5 * minute)];
  for (let minutes = 0; minutes < 26 * 60; minutes++) {
    for (const look of servers) await look();
    clock.advance(minute);
  }
  expect(done).toEqual(['a 2026-11-15T20:00:00.000Z', 'a 2026-11-16T20:00:00.000Z']);
});

test('a run that fails or throws is made again after a quarter of an hour, and holds up no other', async () => {
  const { clock, done, job, server } = await prepare();
  const { log, lines } = collectLog();
  const outcomes: Outcome[] = ['again', 'done'];
  const look = server(
    [
      job('fails', async () => outcomes.shift() ?? 'done'),
      job('throws', () => Promise.reject(new Error('no'))),
      job('works'),
    ],
    0,
    log,
  );
  await look();
  clock.advance(hour / 2);
  await look();
  expect(done.map((line) => line.split(' ')[0])).toEqual(['fails', 'throws', 'works']);
  expect(lines.join()).toContain('canary not sent');
  clock.advance(15 * minute - 1);
  await look();
  expect(done).toHaveLength(3);
  clock.advance(1);
  await look();
  expect(done.slice(3).map((line) => line.split(' ')[0])).toEqual(['fails', 'throws']);
});

test('a moment that was missed is made up for, unless the next one has come; what a setting has moved is not done early', async () => {
  const { store, clock, done, job, server } = await prepare();
  await makeDue(store, 'sample:a');
  const look = server([job('a')]);
  await look();
  expect(done).toEqual(['a 2026-11-14T20:00:00.000Z']);
  clock.advance(hour / 2);
  // The setting says ten o'clock now.
  const later = { ...job('a'), last: (at: Date) => lastNzTimeOfDay(at, '10:00') };
  const atTen = server([{ ...later, next: (at) => nextNzTimeOfDay(at, '10:00') }]);
  await atTen();
  expect(done).toHaveLength(1);
  clock.advance(hour);
  await atTen();
  expect(done.at(-1)).toBe('a 2026-11-15T21:00:00.000Z');
});

test('what is wrong stays said until a run ends it, also if the moment has moved', async () => {
  const { store, clock, done, job, server } = await prepare();
  const later = (): Outcome => ({
    dueAt: nextNzTimeOfDay(clock.now(), '09:00'),
    error: 'a sample',
    attempts: 0,
  });
  await makeDue(store, 'sample:a');
  await server([job('a', async () => later())])();
  // The setting says noon now, and nine comes first.
  const atNoon: RecurringJob = {
    ...job('a'),
    last: (at) => lastNzTimeOfDay(at, '12:00'),
    next: (at) => nextNzTimeOfDay(at, '12:00'),
  };
  const look = server([atNoon]);
  clock.advance(hour);
  await look();
  expect(await store.findJob('sample:a')).toMatchObject({ lastError: 'a sample' });
  clock.advance(3 * hour);
  await look();
  expect(done).toHaveLength(2);
  expect(await store.findJob('sample:a')).toMatchObject({ lastError: null });
});

test('a run is not made again because the database did not answer when it was recorded', async () => {
  const { store, clock, done, job } = await prepare();
  await makeDue(store, 'sample:a');
  let failures = 1;
  const postponeJob: typeof store.postponeJob = async (...args) => {
    if (failures-- > 0) throw new StoreUnavailable('away');
    return store.postponeJob(...args);
  };
  const look = serverWith({ store: { ...store, postponeJob }, jobs: [job('a')], now: clock.now });
  await look();
  clock.advance(20 * minute);
  await look();
  expect(done).toHaveLength(1);
});

test('a run that is under way is not begun again by a clock that is set ahead', async () => {
  const { store, clock, done, job } = await prepare();
  await makeDue(store, 'sample:a');
  const slow = Promise.withResolvers<Outcome>();
  let looks = 0;
  const claimJobs: typeof store.claimJobs = async (...args) => {
    const claims = await store.claimJobs(...args);
    looks++;
    return claims;
  };
  const jobs = [job('a', () => slow.promise), job('b')];
  const look = serverWith({ store: { ...store, claimJobs }, jobs, now: clock.now });
  const first = look();
  await expect.poll(() => looks).toBe(1);
  clock.advance(20 * minute);
  const second = look();
  await expect.poll(() => looks).toBe(2);
  slow.resolve('done');
  await Promise.all([first, second]);
  await look();
  expect(done).toHaveLength(1);
});

test('a job of a mailbox that only another server has is left to that one', async () => {
  const { store, done, job, server } = await prepare();
  await makeDue(store, 'sample:a', 'sample:b');
  await server([job('a')])();
  expect(done).toHaveLength(1);
  await server([job('b')])();
  expect(done.at(-1)).toMatch(/^b /);
});

test('a clock in doubt does nothing, except what is done by any clock', async () => {
  const { store, clock, done, job } = await prepare();
  await makeDue(store, 'sample:a', 'sample:b');
  const checkClock = () => ({ fault: 'ahead' }) as never;
  const jobs = [job('a'), { ...job('b'), byAnyClock: true }];
  await serverWith({ store, jobs, now: clock.now, checkClock })();
  expect(done.map((line) => line.split(' ')[0])).toEqual(['b']);
});

test('a database that is away is said once, and once when it is back', async () => {
  const { store, clock, job } = await prepare();
  const { log, lines } = collectLog();
  let looks = 0;
  const findTimes = async () => {
    looks++;
    if (looks <= 2) throw new StoreUnavailable('away');
    return store.findTimes();
  };
  const parts = { jobs: [job('a')], checkClock: () => null, now: clock.now, log, pollMs: 5 };
  const { start, stop } = createRecurringJobs({ store: { ...store, findTimes }, ...parts });
  start();
  await expect.poll(() => lines.length).toBe(2);
  await stop();
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['jobs not read', 'jobs read again']);
});
