import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createClientLimits } from './client-limits.ts';

const minute = 60_000;
const from = (ip: string, method = 'GET', url = '/', headers = {}) =>
  ({ ip, method, url, headers, socket: { remoteAddress: ip } }) as unknown as FastifyRequest;
const gone = { method: 'POST', url: '/graphql', headers: {}, socket: {} } as unknown as FastifyRequest;

function prepare(maxClients = 100) {
  const time = { now: 1_000_000 };
  return {
    time,
    limits: createClientLimits({ clock: () => time.now, random: () => 0, maxClients }),
  };
}
const times = <T>(count: number, work: () => T): T[] => Array.from({ length: count }, work);

test('the wait that junk is told is long enough for the next request to pass', () => {
  const { limits, time } = prepare();
  const { countJunk } = limits.quotaOf(from('192.0.2.1'));
  expect(times(60, countJunk).every((wait) => wait === null)).toBe(true);
  time.now += 4 * minute + 500;
  expect(countJunk()).toBe(360);
  time.now += 359_000;
  expect(countJunk()).toBe(1);
  time.now += 1_000;
  expect(countJunk()).toBeNull();
});

test('ten forms without a script from an address are mailed singly in ten minutes, and all others in a digest', () => {
  const { limits, time } = prepare();
  const quota = limits.quotaOf(from('192.0.2.1'));
  const ways = times(200, () => quota.countNoScript());
  expect(ways).toEqual([...times(10, () => 'alone'), ...times(190, () => 'held')]);
  time.now += 10 * minute;
  expect(quota.countNoScript()).toBe('alone');
});

test('the forms of a client are numbered for an hour, without those that were not stored', () => {
  const { limits, time } = prepare();
  const { takeRank } = limits.quotaOf(from('192.0.2.1'));
  expect(times(3, () => takeRank().rank)).toEqual([1, 2, 3]);
  takeRank().release();
  expect(takeRank().rank).toBe(4);
  expect(limits.quotaOf(from('192.0.2.2')).takeRank().rank).toBe(1);
  time.now += 60 * minute;
  expect(takeRank().rank).toBe(1);
});

test('the limit of challenges is random, so that it tells nobody whether another visitor used the same address', () => {
  const bounds = Array.from({ length: 40 }, () => {
    const limits = createClientLimits();
    let count = 0;
    while (!limits.countChallenge(from('192.0.2.1')).hard) count++;
    return count;
  });
  expect(Math.min(...bounds)).toBeGreaterThanOrEqual(240);
  expect(Math.max(...bounds)).toBeLessThanOrEqual(360);
  expect(new Set(bounds).size).toBeGreaterThan(1);
});

test('junk and passed forms are counted separately, and each address by itself', () => {
  const { limits } = prepare();
  const quota = limits.quotaOf(from('192.0.2.1'));
  times(200, quota.countJunk);
  times(59, quota.countStored);
  expect(quota.hasSentMany()).toBe(false);
  quota.countStored();
  expect(quota.hasSentMany()).toBe(true);
  expect(limits.quotaOf(from('192.0.2.2')).countJunk()).toBeNull();
});

test('a household with 256 IPv6 networks is one client, however many addresses it has', () => {
  const { limits } = prepare();
  const ranks = ['2001:db8:0:aa00::1', '2001:db8:0:aaff::1', '2001:db8:0:ab00::1'].map(
    (address) => limits.quotaOf(from(address)).takeRank().rank,
  );
  expect(ranks).toEqual([1, 2, 1]);
  for (let n = 0; n < 60; n++) limits.quotaOf(from(`2001:db8:0:${n.toString(16)}::1`)).countJunk();
  expect(limits.quotaOf(from('2001:db8:0:ff::1')).countJunk()).not.toBeNull();
  expect(limits.quotaOf(from('2001:db8:0:100::1')).countJunk()).toBeNull();
});

test('connections that ended before their address was known share ten times the limit', () => {
  const { limits } = prepare();
  const { countStored, hasSentMany } = limits.quotaOf(gone);
  times(599, countStored);
  expect(hasSentMany()).toBe(false);
  countStored();
  expect(hasSentMany()).toBe(true);
});

test('all of /graphql is bounded, but what is known to be a form is neither counted nor refused', () => {
  const { limits, time } = prepare();
  const request = from('192.0.2.1');
  times(600, () => limits.allowGraphql(request, true));
  expect(times(600, () => limits.allowGraphql(request, false)).every((wait) => wait === null)).toBe(true);
  expect(limits.allowGraphql(request, false)).toBe(600);
  expect(limits.allowGraphql(request, true)).toBeNull();
  time.now += 10 * minute;
  expect(limits.allowGraphql(request, false)).toBeNull();
});

test('a bounded number of addresses is remembered, and the one not seen for longest is dropped first', () => {
  const { limits } = prepare(100);
  for (const address of ['192.0.2.1', '192.0.2.2']) times(61, limits.quotaOf(from(address)).countJunk);
  for (let n = 0; n < 98; n++) limits.quotaOf(from(`198.51.100.${n}`)).countJunk();
  expect(limits.size).toBe(100);
  limits.quotaOf(from('192.0.2.1')).countJunk();
  limits.quotaOf(from('203.0.113.1')).countJunk();
  expect(limits.size).toBe(100);
  expect(limits.quotaOf(from('192.0.2.1')).countJunk()).not.toBeNull();
  expect(limits.quotaOf(from('192.0.2.2')).countJunk()).toBeNull();
});

test('over the bound a challenge is hard, for that address alone', () => {
  const { limits, time } = prepare();
  const ask = (ip = '192.0.2.1') => limits.countChallenge(from(ip)).hard;
  expect(times(240, ask)).not.toContain(true);
  expect(times(100, ask)).not.toContain(false);
  expect(ask('192.0.2.2')).toBe(false);
  time.now += 10 * minute;
  expect(ask()).toBe(false);
});

test('a request that is more work costs more: a body twice, a page for one visitor ten times', () => {
  const countAtOnce = (method: string, url: string, headers = {}) => {
    const { limits } = prepare();
    let count = 0;
    while (limits.tryAdmit(from('192.0.2.1', method, url, headers))) count++;
    return count;
  };
  expect(countAtOnce('GET', '/help')).toBe(601);
  expect(countAtOnce('GET', '/bot-check/challenge')).toBe(301);
  expect(countAtOnce('POST', '/graphql')).toBe(301);
  expect(countAtOnce('POST', '/help')).toBe(61);
  // A page with a long text in it takes more turns still, whether or not the length was said before.
  expect(countAtOnce('POST', '/help', { 'content-length': '180224' })).toBe(19);
  expect(countAtOnce('POST', '/help', { 'transfer-encoding': 'chunked' })).toBe(18);
});
