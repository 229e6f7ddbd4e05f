import { afterEach, expect, test, vi } from 'vitest';
import type { PostOutcome } from './calls.ts';
import { sendForm } from './send-form.ts';

const receipt = { reference: 'ABCD-1234', receivedAt: '2026-01-01T00:00:00.000Z' };
const kept: PostOutcome = { ok: true, receipt };
const refused = (code: Extract<PostOutcome, { ok: false }>['code']): PostOutcome => ({
  ok: false,
  code,
  cause: new Error('refused'),
});

/** Answers the calls in turn; numbers the tokens, a new one after each that was discarded. */
function prepare(...answers: (PostOutcome | Error)[]) {
  let serial = 1;
  const used: string[] = [];
  const waits: number[] = [];
  return {
    used,
    waits,
    parts: {
      tokens: {
        prepare() {},
        get: async () => `token ${serial}`,
        discard: () => void serial++,
      },
      async post(_entries: unknown, token: string): Promise<PostOutcome> {
        used.push(token);
        const answer = answers.shift() ?? refused('UNREACHABLE');
        if (answer instanceof Error) throw answer;
        return answer;
      },
      wait: async (ms: number) => void waits.push(ms),
    },
  };
}

afterEach(() => void vi.restoreAllMocks());

test('a request that is kept at once is sent once', async () => {
  const { parts, used, waits } = prepare(kept);
  expect(await sendForm('help', [], parts)).toEqual(receipt);
  expect([used, waits]).toEqual([['token 1'], []]);
});

test('what may pass is tried again with the same token, waiting longer each time', async () => {
  const { parts, used, waits } = prepare(
    new Error('no chunk'),
    refused('UNAVAILABLE'),
    refused('UNAVAILABLE'),
    kept,
  );
  expect(await sendForm('help', [], parts)).toEqual(receipt);
  expect(used).toEqual(['token 1', 'token 1', 'token 1', 'token 1']);
  expect(waits).toEqual([1_000, 3_000, 8_000]);
});

test('after four tries it gives up, with the words of the catalogue', async () => {
  const { parts, used } = prepare();
  await expect(sendForm('help', [], parts)).rejects.toThrow('Could not submit get help request');
  await expect(sendForm('contact', [], parts)).rejects.toThrow('Could not submit contact request');
  expect(used).toHaveLength(8);
});

test('a refused token is replaced once, and only once', async () => {
  const { parts, used } = prepare(refused('BOT_CHECK_FAILED'), refused('BOT_CHECK_FAILED'));
  await expect(sendForm('contact', [], parts)).rejects.toThrow();
  expect(used).toEqual(['token 1', 'token 2']);
});

test('so is one that was refused among the junk of others at the same address', async () => {
  const { parts, used, waits } = prepare(refused('RATE_LIMITED'), kept);
  expect(await sendForm('help', [], parts)).toEqual(receipt);
  expect(used).toEqual(['token 1', 'token 2']);
  expect(waits).toEqual([]);
});

test.each([['BAD_ANSWERS'], [null]] as const)('%s is not tried again', async (code) => {
  const { parts, used } = prepare(refused(code));
  await expect(sendForm('contact', [], parts)).rejects.toThrow();
  expect(used).toHaveLength(1);
});

test('a token that cannot be had is logged, and counts as a try', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { parts, used, waits } = prepare(kept);
  const get = parts.tokens.get;
  let asked = 0;
  parts.tokens.get = async () => (asked++ === 0 ? Promise.reject(new Error('offline')) : get());
  expect(await sendForm('contact', [], parts)).toEqual(receipt);
  expect(log).toHaveBeenCalledWith('Error generating reCAPTCHA token', expect.any(Error));
  expect([used.length, waits]).toEqual([1, [1_000]]);
});
