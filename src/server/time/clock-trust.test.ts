import { expect, test } from 'vitest';
import { createClockCheck, findRightTime, judgeClock } from './clock-trust.ts';

const day = 24 * 3_600_000;
const known = new Date('2026-03-01T00:00:00Z');
const at = (ms: number) => new Date(known.getTime() + ms);
const nothing = { newestReceivedAt: null, lastErasedAt: null, clockRightAt: null, jumpedFrom: null };

test.each([
  ['nothing is known', at(400 * 365 * day), null, null],
  ['it is the next day', at(day), known, null],
  ['other servers are minutes ahead', at(-5 * 60_000), known, null],
  ['it is weeks later', at(20 * day), known, 'ahead'],
  ['it is years later', at(40 * 365 * day), known, 'far ahead'],
  ['it is days before', at(-2 * day), known, 'behind'],
] as const)('a clock is judged by a time that was right: %s', (_when, now, right, fault) => {
  expect(judgeClock(now, right)).toBe(fault);
});

test('times that a wrong clock stored do not make the clock right', () => {
  const future = at(40 * 365 * day);
  expect(findRightTime({ ...nothing, newestReceivedAt: future, lastErasedAt: known })).toBe(known);
  expect(
    findRightTime({ ...nothing, newestReceivedAt: future, lastErasedAt: future, clockRightAt: known }),
  ).toBe(known);
  expect(findRightTime({ ...nothing, newestReceivedAt: known })).toBe(known);
});

function prepare(ms: number) {
  const machine = { clock: at(ms), running: 0 };
  const { checkClock, findJump } = createClockCheck(
    () => machine.clock,
    () => machine.running,
  );
  /** An hour later by both clocks, with a request that came in meanwhile. */
  const check = (passed = 0) => {
    machine.running += passed;
    machine.clock = new Date(machine.clock.getTime() + passed);
    return checkClock({ ...nothing, newestReceivedAt: machine.clock, lastErasedAt: known })?.fault ?? null;
  };
  return { machine, check, findJump };
}

test('a clock that jumped is trusted after a day, and not before, whatever is stored meanwhile', () => {
  const { check } = prepare(20 * day);
  expect(check()).toBe('ahead');
  expect(check(day - 1)).toBe('ahead');
  expect(check(1)).toBeNull();
  expect(check(3_600_000)).toBeNull();
});

test('a corrected clock is trusted at once, and the next jump is distrusted for a day again', () => {
  const { check, machine } = prepare(20 * day);
  expect(check()).toBe('ahead');
  machine.clock = at(day);
  expect(check()).toBeNull();
  expect(check(day)).toBeNull();
  machine.clock = at(50 * day);
  expect(check()).toBe('ahead');
  machine.clock = at(-50 * day);
  expect(check()).toBe('behind');
});

test('a clock that is years ahead is never trusted by itself', () => {
  const { check } = prepare(40 * 365 * day);
  expect(check()).toBe('far ahead');
  expect(check(30 * day)).toBe('far ahead');
});

test('a clock that is set while the site runs is distrusted, even where the stored times agree with it', () => {
  const { check, machine } = prepare(0);
  expect(check()).toBeNull();
  machine.clock = at(40 * 365 * day);
  expect(check()).toBe('far ahead');
});

test('after the day a clock that jumped has still jumped, until the stored times agree with it', () => {
  const { check, machine, findJump } = prepare(20 * day);
  const stored = { ...nothing, lastErasedAt: known };
  expect(findJump(stored)).toBeNull();
  check();
  expect(check(day)).toBeNull();
  expect(findJump({ ...stored, clockRightAt: known })).toBe(known);
  // Once the jump is recorded, every process knows of it; somebody who trusts the clock records the time and no jump.
  expect(prepare(20 * day).findJump({ ...nothing, jumpedFrom: known, lastErasedAt: machine.clock })).toBe(
    known,
  );
  expect(findJump({ ...nothing, lastErasedAt: machine.clock })).toBeNull();
  // A server whose clock is right ends the recorded doubt, and not the jump of this one.
  expect(findJump({ ...nothing, lastErasedAt: at(2 * day) })).toEqual(at(2 * day));
});

test('a clock that was corrected has not jumped, and neither has one that ran on while the database was away', () => {
  expect(prepare(2 * day).findJump({ ...nothing, jumpedFrom: known })).toBeNull();
  const { check, findJump } = prepare(0);
  check();
  expect(check(20 * day)).toBeNull();
  expect(findJump({ ...nothing, lastErasedAt: known })).toBeNull();
});
