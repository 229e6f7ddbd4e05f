import { expect, test, vi } from 'vitest';
import { shareFor } from './share-for.ts';

test('callers within the time share one result; a later caller gets a new one', async () => {
  let now = 0;
  let made = 0;
  const ask = shareFor(
    2_000,
    async () => ++made,
    () => now,
  );
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  now = 1_999;
  expect(await ask()).toBe(1);
  now = 2_000;
  expect(await ask()).toBe(2);
});

test('a caller during a run waits for that run, however long it takes', async () => {
  let now = 0;
  const slow = Promise.withResolvers<string>();
  const work = vi.fn(() => slow.promise);
  const ask = shareFor(2_000, work, () => now);
  const first = ask();
  now = 60_000;
  const second = ask();
  slow.resolve('done');
  expect(await Promise.all([first, second])).toEqual(['done', 'done']);
  expect(work).toHaveBeenCalledTimes(1);
  now = 61_999;
  expect(await ask()).toBe('done');
  expect(work).toHaveBeenCalledTimes(1);
});

test('a failure is shared too, and tried again after the time', async () => {
  let now = 0;
  const work = vi.fn(async () => {
    throw new Error('away');
  });
  const ask = shareFor(2_000, work, () => now);
  await expect(Promise.all([ask(), ask()])).rejects.toThrow('away');
  await expect(ask()).rejects.toThrow('away');
  expect(work).toHaveBeenCalledTimes(1);
  now = 2_000;
  await expect(ask()).rejects.toThrow('away');
  expect(work).toHaveBeenCalledTimes(2);
});
