import type { FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { createClientLimits } from './client-limits.ts';

const minute = 60_000;
const from = (ip: string, method = 'GET', url = '/', headers = {}) =>
  ({ ip, method, url, headers, socket: { remoteAddress: ip } }) as unknown as FastifyRequest;
const gone = { method: 'POST', url: '/graphql', headers: {}, socket: {} } as unknown as FastifyRequest;

function prepare(addresses = 100) {
  const time = { now: 1_000_000 };
  return { time, limits: createClientLimits({ clock: () => time.now, addresses }) };
}
const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);

test('junk is told to wait until there is really room again', () => {
  const { limits, time } = prepare();
  const { countJunk } = limits.senderOf(from('192.0.2.1'));
  expect(times(60, countJunk).every((wait) => wait === null)).toBe(true);
  time.now += 4 * minute + 500;
  expect(countJunk()).toBe(360);
  time.now += 359_000;
  expect(countJunk()).toBe(1);
  time.now += 1_000;
  expect(countJunk()).toBeNull();
});

test('of an address ten forms without a script are mailed alone in ten minutes, and all others in one mail', () => {
  const { limits, time } = prepare();
  const sender = limits.senderOf(from('192.0.2.1'));
  const kinds = times(200, () => sender.countPlain().kind);
  expect(kinds).toEqual([...times(10, () => 'open'), ...times(190, () => 'held')]);
  time.now += 10 * minute;
  expect(sender.countPlain()).toEqual({ kind: 'open' });
});

test('nobody’s form is held for what comes from other addresses', () => {
  const { limits } = prepare();
  for (let number = 1; number <= 40; number++)
    times(31, limits.senderOf(from(`192.0.2.${number}`)).countPlain);
  const person = limits.senderOf(from('198.51.100.1'));
  expect(times(10, () => person.countPlain().kind)).toEqual(times(10, () => 'open'));
});

test('the forms of a sender are numbered for an hour, one that was not kept left out', () => {
  const { limits, time } = prepare();
  const { takeRank } = limits.senderOf(from('192.0.2.1'));
  expect(times(3, () => takeRank().rank)).toEqual([1, 2, 3]);
  takeRank().release();
  expect(takeRank().rank).toBe(4);
  expect(limits.senderOf(from('192.0.2.2')).takeRank().rank).toBe(1);
  time.now += 60 * minute;
  expect(takeRank().rank).toBe(1);
});

test('junk and what passed are counted apart, and each address for itself', () => {
  const { limits } = prepare();
  const sender = limits.senderOf(from('192.0.2.1'));
  times(200, sender.countJunk);
  times(59, sender.countKept);
  expect(sender.hasSentMany()).toBe(false);
  sender.countKept();
  expect(sender.hasSentMany()).toBe(true);
  expect(limits.senderOf(from('192.0.2.2')).countJunk()).toBeNull();
});

test('one network of IPv6 is one sender, however many addresses it has', () => {
  const { limits } = prepare();
  for (let n = 0; n < 60; n++) limits.senderOf(from(`2001:db8::${n.toString(16)}`)).countJunk();
  expect(limits.senderOf(from('2001:db8::ffff')).countJunk()).not.toBeNull();
  expect(limits.senderOf(from('2001:db8:0:1::1')).countJunk()).toBeNull();
});

test('those who were gone before they had an address have room for ten', () => {
  const { limits } = prepare();
  const { countKept, hasSentMany } = limits.senderOf(gone);
  times(599, countKept);
  expect(hasSentMany()).toBe(false);
  countKept();
  expect(hasSentMany()).toBe(true);
});

test('all of /graphql is bounded, but what is known to be a form is never refused', () => {
  const { limits, time } = prepare();
  const request = from('192.0.2.1');
  expect(times(600, () => limits.allowGraphql(request, false)).every((wait) => wait === null)).toBe(true);
  expect(limits.allowGraphql(request, false)).toBe(600);
  expect(limits.allowGraphql(request, true)).toBeNull();
  time.now += 10 * minute;
  expect(limits.allowGraphql(request, false)).toBeNull();
});

test('a form counts towards the bound of /graphql, though it is never refused for it', () => {
  const { limits } = prepare();
  times(600, () => limits.allowGraphql(from('192.0.2.1'), true));
  expect(limits.allowGraphql(from('192.0.2.1'), false)).not.toBeNull();
});

test('no more addresses are remembered than it says, and the one not seen for longest goes first', () => {
  const { limits } = prepare(100);
  for (const address of ['192.0.2.1', '192.0.2.2']) times(61, limits.senderOf(from(address)).countJunk);
  for (let n = 0; n < 98; n++) limits.senderOf(from(`198.51.100.${n}`)).countJunk();
  expect(limits.size).toBe(100);
  limits.senderOf(from('192.0.2.1')).countJunk();
  limits.senderOf(from('203.0.113.1')).countJunk();
  expect(limits.size).toBe(100);
  expect(limits.senderOf(from('192.0.2.1')).countJunk()).not.toBeNull();
  expect(limits.senderOf(from('192.0.2.2')).countJunk()).toBeNull();
});

test('the clock of the machine is not asked', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-05T00:00:00Z') });
  const { limits, time } = prepare();
  const { countJunk } = limits.senderOf(from('192.0.2.1'));
  times(60, countJunk);
  vi.setSystemTime(new Date('2026-03-01T00:00:00Z'));
  expect(countJunk()).toBe(600);
  time.now += 10 * minute;
  expect(countJunk()).toBeNull();
  vi.useRealTimers();
});

test('over the bound a challenge is hard, and shared for a moment by those who ask together', async () => {
  const { limits, time } = prepare();
  const make = vi.fn(async ({ hard }: { hard: boolean }) => ({ hard, number: make.mock.calls.length }));
  const ask = () => limits.challengeFor(from('192.0.2.1'), make);
  const easy = await Promise.all(times(240, ask));
  expect(easy.every((challenge) => !(challenge as { hard: boolean }).hard)).toBe(true);
  expect(make).toHaveBeenCalledTimes(240);
  const together = await Promise.all(times(1_000, ask));
  expect(new Set(together).size).toBe(1);
  expect(together[0]).toEqual({ hard: true, number: 241 });
  time.now += 100;
  expect(await ask()).toEqual({ hard: true, number: 242 });
  expect(await limits.challengeFor(from('192.0.2.2'), make)).toMatchObject({ hard: false });
});

test('a crowd is served at once; what comes faster waits in line, five seconds at most', () => {
  const { limits, time } = prepare();
  const take = () => limits.takeTurn(from('192.0.2.1'));
  expect(times(601, take).every((turn) => turn === null)).toBe(true);
  expect(take()).toMatchObject({ waitMs: 5, refused: false });
  expect(times(1_100, take).at(-1)).toMatchObject({ waitMs: 5_200, refused: false });
  expect(limits.takeTurn(from('192.0.2.2'))).toBeNull();
  // When the rush is over, so is the line.
  time.now += 5_200;
  expect(take()).toBeNull();
});

test('more than a line can hold are refused, but never what sends something: it may be a form', () => {
  const { limits } = prepare();
  const take = (method: string) => limits.takeTurn(from('192.0.2.1', method));
  const turns = times(2_601, () => take('GET')).filter((turn) => turn !== null);
  expect(turns.every(({ refused }) => !refused)).toBe(true);
  expect(take('GET')).toMatchObject({ waitMs: 5_200, refused: true });
  expect(take('POST')).toMatchObject({ waitMs: 5_200, refused: false });
  expect(limits.takeTurn(from('192.0.2.1', 'OPTIONS'))).toMatchObject({ refused: true });
  expect(
    limits.takeTurn({ ...from('192.0.2.1'), url: '/bot-check/challenge' } as FastifyRequest),
  ).toMatchObject({
    refused: false,
  });
  for (const turn of turns) turn.leave(false);
  expect(take('GET')).toMatchObject({ refused: false });
});

test('who is gone before their turn gives it back', () => {
  const { limits } = prepare();
  const take = () => limits.takeTurn(from('192.0.2.1'));
  times(601, take);
  for (const turn of times(500, take)) turn?.leave(true);
  expect(take()).toMatchObject({ waitMs: 5 });
});

test('what is more work takes more turns: a body that of two, a page for one visitor that of ten', () => {
  const { limits } = prepare();
  const plain = from('192.0.2.2', 'POST', '/help');
  expect(times(61, () => limits.takeTurn(plain)).every((turn) => turn === null)).toBe(true);
  expect(limits.takeTurn(plain)).toMatchObject({ waitMs: 50, refused: false });
  const post = from('192.0.2.1', 'POST', '/graphql');
  expect(times(301, () => limits.takeTurn(post)).every((turn) => turn === null)).toBe(true);
  expect(limits.takeTurn(post)).toMatchObject({ waitMs: 10, refused: false });
});

test('a page with a long text in it takes more turns still, whether or not the length was said before', () => {
  for (const headers of [{ 'content-length': '180224' }, { 'transfer-encoding': 'chunked' }]) {
    const { limits } = prepare();
    const take = () => limits.takeTurn(from('192.0.2.1', 'POST', '/help', headers));
    expect(times(6, take).every((turn) => turn === null)).toBe(true);
    expect(times(2, take).at(-1)).not.toBeNull();
  }
});

test('what lies ready takes turns like everything else, and none where it would have to wait', () => {
  const { limits, time } = prepare();
  const takeAtOnce = () => limits.takeTurnAtOnce(from('192.0.2.1'));
  expect(times(300, takeAtOnce).every(Boolean)).toBe(true);
  expect(times(301, () => limits.takeTurn(from('192.0.2.1'))).every((turn) => turn === null)).toBe(true);
  expect(times(5, takeAtOnce).some(Boolean)).toBe(false);
  expect(limits.takeTurn(from('192.0.2.1'))).toMatchObject({ waitMs: 5 });
  expect(limits.takeTurnAtOnce(from('192.0.2.2'))).toBe(true);
  time.now += 1_000;
  expect(takeAtOnce()).toBe(true);
});
