import { beforeEach, expect, test, vi } from 'vitest';
import { createPacing, type PacedClient } from './request-pacing.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  return () => void vi.useRealTimers();
});

/** How much later it is than timers know: something kept the server from looking. */
const busy = { ms: 0 };

/** A client that has used up what it had saved, and the requests that went on, by name. */
function prepare({ weight = 1, spent = true } = {}) {
  busy.ms = 0;
  const pacing = createPacing(() => performance.now() + busy.ms);
  const client: PacedClient = { weight, dueAt: Number.NEGATIVE_INFINITY };
  const tryCharge = (cost: number) => pacing.tryCharge(client, cost);
  if (spent) while (tryCharge(1));
  const served: string[] = [];
  const ask = (name: string, cost: number, connection: object = {}) =>
    pacing.enqueue(client, connection, cost, () => void served.push(name));
  return { client, tryCharge, served, ask };
}
const countOf = (served: readonly string[], name: string) => served.filter((one) => one === name).length;

test('a burst is served at once, and then 200 units of work a second', () => {
  const { tryCharge, served, ask } = prepare({ spent: false });
  let atOnce = 0;
  while (tryCharge(1)) atOnce++;
  expect(atOnce).toBe(601);
  for (let n = 0; n < 1_000; n++) ask('page', 1);
  vi.advanceTimersByTime(1_000);
  expect(served).toHaveLength(200);
  vi.advanceTimersByTime(4_000);
  expect(served).toHaveLength(1_000);
  // When the rush is over, so is the line.
  vi.advanceTimersByTime(5);
  expect(tryCharge(1)).toBe(true);
});

test('visitors without a known address share ten times the pace', () => {
  const { tryCharge } = prepare({ weight: 10, spent: false });
  let atOnce = 0;
  while (tryCharge(1)) atOnce++;
  expect(atOnce).toBe(6_001);
});

test('no client exceeds the pace: not by waiting for long, nor by leaving and coming back', () => {
  const { served, ask } = prepare();
  for (let second = 0; second < 60; second++) {
    for (let n = 0; n < 100; n++) ask('post', 10);
    for (let n = 0; n < 100; n++) ask('left', 10)();
    vi.advanceTimersByTime(1_000);
  }
  expect(countOf(served, 'post')).toBe(60 * 20);
  expect(countOf(served, 'left')).toBe(0);
});

test('behind a proxy, where one address has thousands under way, a form with a script does not wait for 20 s', () => {
  const { served, ask } = prepare();
  const flood = () => ask('flood', 2);
  for (let n = 0; n < 4_999; n++) flood();
  ask('person', 2);
  let seconds = 0;
  for (; !served.includes('person') && seconds < 60; seconds++) {
    const before = served.length;
    vi.advanceTimersByTime(1_000);
    // Each one that is answered comes again.
    for (let n = before; n < served.length; n++) flood();
  }
  expect(seconds).toBeLessThanOrEqual(15);
});

test('a request that fails holds up nobody behind it', () => {
  const { client, served, ask } = prepare();
  createPacing(() => performance.now()).enqueue(client, {}, 1, () => {
    throw new Error('It failed');
  });
  ask('next', 1);
  expect(() => vi.advanceTimersByTime(1_000)).toThrow('It failed');
  vi.advanceTimersByTime(1_000);
  expect(served).toEqual(['next']);
});

test('a client that leaves makes room for those behind it', () => {
  const { served, ask } = prepare();
  const withdraws = Array.from({ length: 500 }, () => ask('left', 1));
  ask('page', 1);
  for (const withdraw of withdraws) withdraw();
  vi.advanceTimersByTime(10);
  expect(served).toEqual(['page']);
});

test('after being blocked, the server does not catch up all at once', () => {
  const { served, ask } = prepare();
  for (let n = 0; n < 100; n++) ask('page', 1);
  busy.ms = 2_000;
  vi.advanceTimersByTime(5);
  expect(served.length).toBeLessThanOrEqual(6);
});

test('a new request does not overtake queued ones', () => {
  const { client, tryCharge, ask } = prepare();
  ask('post', 10);
  ask('post', 10);
  vi.advanceTimersByTime(40);
  expect(client.queue?.waiting).toHaveLength(1);
  expect(tryCharge(1)).toBe(false);
});

test.each([
  ['pages', 1],
  ['challenges', 2],
  ['forms without a script', 10],
  ['the longest forms without a script', 34],
])(
  'while 255 connections of an address ask for %s without pause, a person there is served in time',
  (_what, turns) => {
    const { served, ask } = prepare();
    const connections = Array.from({ length: 255 }, () => ({}));
    const flood = () => {
      for (const connection of connections) ask('flood', turns, connection);
    };
    flood();
    flood();
    const waits = { page: 1, challenge: 2, form: 2, plain: 10, long: 20 };
    const secondsUntil: Record<string, number> = {};
    for (const [name, own] of Object.entries(waits)) ask(name, own);
    for (let second = 1; second <= 60; second++) {
      flood();
      vi.advanceTimersByTime(1_000);
      for (const name of Object.keys(waits)) if (served.includes(name)) secondsUntil[name] ??= second;
    }
    expect(secondsUntil.page).toBeLessThanOrEqual(2);
    expect(secondsUntil.challenge).toBeLessThanOrEqual(4);
    expect(secondsUntil.form).toBeLessThanOrEqual(4);
    expect(secondsUntil.plain).toBeLessThanOrEqual(15);
    // Within the 30 s that a request may take.
    expect(secondsUntil.long).toBeLessThanOrEqual(28);
  },
);
