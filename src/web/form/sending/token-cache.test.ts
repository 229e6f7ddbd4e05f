import { expect, test } from 'vitest';
import { createTokenCache } from './token-cache.ts';

const lifetime = 50 * 60 * 1000;

function prepare(fails = 0) {
  let time = 0;
  let made = 0;
  const kept = createTokenCache(
    async () => {
      made++;
      if (made <= fails) throw new Error('offline');
      return `token ${made}`;
    },
    lifetime,
    () => time,
  );
  const pass = (ms: number) => {
    time += ms;
  };
  return { kept, pass };
}

test('concurrent callers get the same token', async () => {
  const { kept } = prepare();
  expect(await Promise.all([kept.get(), kept.get()])).toEqual(['token 1', 'token 1']);
});

test('an expired token is replaced, and so is a discarded one', async () => {
  const { kept, pass } = prepare();
  await kept.get();
  pass(lifetime - 1);
  expect(await kept.get()).toBe('token 1');
  pass(1);
  expect(await kept.get()).toBe('token 2');
  kept.discard();
  expect(await kept.get()).toBe('token 3');
});

test('a failure is not cached', async () => {
  const { kept } = prepare(1);
  await expect(kept.get()).rejects.toThrow('offline');
  expect(await kept.get()).toBe('token 2');
});
