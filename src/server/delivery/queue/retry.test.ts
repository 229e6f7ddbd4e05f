import { expect, test } from 'vitest';
import { latestPlausible } from '../../store/contract/jobs.ts';
import { workerDefaults } from './delivery-worker.ts';
import { backoffMs } from './retry.ts';

const latest = (attempts: number) => backoffMs(attempts, () => 0);

test('the backoff doubles each time, up to a quarter of an hour', () => {
  expect([1, 2, 3, 4, 5].map(latest)).toEqual([30_000, 60_000, 120_000, 240_000, 480_000]);
  expect(latest(6)).toBe(900_000);
  expect(latest(10_000)).toBe(900_000);
});

test('mails that failed together are not retried together', () => {
  expect(backoffMs(6, () => 0.999_999)).toBeCloseTo(450_000, -2);
  expect(new Set(Array.from({ length: 50 }, () => backoffMs(6))).size).toBeGreaterThan(40);
});

test('no backoff and no lease is so long that it is taken for the work of a wrong clock', () => {
  const far = latestPlausible(new Date(0)).getTime();
  expect(latest(1_000)).toBeLessThanOrEqual(far / 2);
  expect(workerDefaults.leaseMs).toBeLessThanOrEqual(far / 2);
});
