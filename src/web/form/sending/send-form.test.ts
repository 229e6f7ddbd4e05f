import { setMaxListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { PostOutcome } from './calls.ts';
import { PermanentError } from './permanent-error.ts';
import { sendForm, sendingMs } from './send-form.ts';

const receipt = { reference: 'ABCD-1234', receivedAt: '2026-01-01T00:00:00.000Z' };
const kept: PostOutcome = { ok: true, receipt };
const refused = (code: Extract<PostOutcome, { ok: false }>['code']): PostOutcome => ({
  ok: false,
  code,
  cause: new Error('refused'),
});

/**
 * Answers the calls in turn; numbers the tokens, a new one after each that was discarded. The clock stands still but for
 * the waits.
 */
function prepare(...answers: PostOutcome[]) {
  let serial = 1;
  let time = 0;
  const used: string[] = [];
  const waits: number[] = [];
  const pass = (ms: number) => {
    time += ms;
  };
  return {
    used,
    waits,
    pass,
    parts: {
      deadline: sendingMs,
      wanted: () => true,
      now: () => time,
      tokens: {
        prepare() {},
        get: async () => `token ${serial}`,
        discard: () => void serial++,
      },
      async post(_entries: unknown, token: string, _remainingMs: number): Promise<PostOutcome> {
        used.push(token);
        return answers.shift() ?? refused('UNREACHABLE');
      },
      async wait(ms: number) {
        waits.push(ms);
        pass(ms);
      },
    },
  };
}

/** The browser's word about the network, and what it tells when that changes. */
let network: EventTarget & { onLine: boolean };
function goOnline(onLine = true) {
  network.onLine = onLine;
  network.dispatchEvent(new Event(onLine ? 'online' : 'offline'));
}

beforeEach(() => {
  network = Object.assign(new EventTarget(), { onLine: true });
  setMaxListeners(20, network);
  vi.stubGlobal('navigator', network);
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network));
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test('a request that is stored at the first attempt is sent once', async () => {
  const { parts, used, waits } = prepare(kept);
  expect(await sendForm('help', [], parts)).toEqual(receipt);
  expect([used, waits]).toEqual([['token 1'], []]);
});

test('a temporary failure is retried with the same token, after longer and longer waits', async () => {
  const { parts, used, waits } = prepare(
    refused('UNREACHABLE'),
    refused('UNAVAILABLE'),
    refused('UNAVAILABLE'),
    kept,
  );
  expect(await sendForm('help', [], parts)).toEqual(receipt);
  expect(used).toEqual(['token 1', 'token 1', 'token 1', 'token 1']);
  expect(waits).toEqual([1_000, 3_000, 8_000]);
});

test('after four attempts sending fails, with the words of the specification', async () => {
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

test('a token that is refused because of junk from the same IP address is replaced once too', async () => {
  const { parts, used, waits } = prepare(refused('RATE_LIMITED'), kept);
  expect(await sendForm('help', [], parts)).toEqual(receipt);
  expect(used).toEqual(['token 1', 'token 2']);
  expect(waits).toEqual([]);
});

test.each([
  ['BAD_ANSWERS', 'online'],
  ['BAD_ANSWERS', 'offline'],
  [null, 'online'],
] as const)('%s is not retried %s', async (code, network) => {
  const { parts, used } = prepare(refused(code));
  goOnline(network === 'online');
  await expect(sendForm('contact', [], parts)).rejects.toMatchObject({ code });
  expect(used).toHaveLength(1);
});

test('a token that cannot be obtained is logged, and counts as an attempt', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { parts, used, waits } = prepare(kept);
  const get = parts.tokens.get;
  let asked = 0;
  parts.tokens.get = async () => (asked++ === 0 ? Promise.reject(new Error('offline')) : get());
  expect(await sendForm('contact', [], parts)).toEqual(receipt);
  expect(log).toHaveBeenCalledWith('Error generating reCAPTCHA token', expect.any(Error));
  expect([used.length, waits]).toEqual([1, [1_000]]);
});

test('a permanent failure is retried once, and then reported with the token', async () => {
  const { parts, used } = prepare(refused('PERMANENT'), refused('PERMANENT'));
  await expect(sendForm('help', [], parts)).rejects.toMatchObject({ code: 'PERMANENT', token: 'token 1' });
  expect(used).toHaveLength(2);
});

test('a failure to obtain a token is reported without a token', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { parts, used } = prepare();
  parts.tokens.get = async () => Promise.reject(new PermanentError('The worker failed'));
  await expect(sendForm('help', [], parts)).rejects.toMatchObject({ code: 'PERMANENT', token: null });
  expect(used).toEqual([]);
});

test('no reply is waited for beyond the deadline', async () => {
  const { parts, pass } = prepare();
  const left: number[] = [];
  parts.post = async (_entries, _token, remainingMs) => {
    left.push(remainingMs);
    pass(20_000);
    return refused('UNREACHABLE');
  };
  await expect(sendForm('help', [], parts)).rejects.toThrow();
  expect(left).toEqual([90_000, 69_000, 46_000, 18_000]);
});

test('no attempt starts after the deadline', async () => {
  const { parts, used, pass } = prepare();
  pass(sendingMs - 1_000);
  await expect(sendForm('help', [], parts)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(used).toHaveLength(1);
});

test('a token that never comes fails at the deadline', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  vi.useFakeTimers();
  const { parts, used } = prepare();
  parts.tokens.get = () => new Promise(() => {});
  const sending = sendForm('contact', [], {
    ...parts,
    now: Date.now,
    deadline: Date.now() + sendingMs,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  const ended = vi.fn<() => void>();
  sending.catch(ended);
  await vi.advanceTimersByTimeAsync(sendingMs - 1);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await expect(sending).rejects.toMatchObject({ code: 'UNREACHABLE', token: null });
  expect(used).toEqual([]);
});

test('offline, attempts with one token go on until the deadline', async () => {
  const { parts, used, waits } = prepare();
  goOnline(false);
  await expect(sendForm('help', [], parts)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(waits.length).toBeGreaterThan(10);
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThan(sendingMs - 10_000);
  expect(new Set(used)).toEqual(new Set(['token 1']));
});

test('back online, the form is sent at once with the same token, and attempts and deadline start again', async () => {
  const { parts, used, waits, pass } = prepare();
  goOnline(false);
  const offlineWait = Promise.withResolvers<void>();
  const left: number[] = [];
  const sending = sendForm('help', [], {
    ...parts,
    post: (entries, token, remainingMs) => {
      left.push(remainingMs);
      return parts.post(entries, token, remainingMs);
    },
    // Nothing ends the wait of the first try but the network.
    wait(ms) {
      if (network.onLine) return parts.wait(ms);
      offlineWait.resolve();
      return new Promise(() => {});
    },
  });
  const failed = expect(sending).rejects.toMatchObject({ code: 'UNREACHABLE' });
  await offlineWait.promise;
  pass(sendingMs - 1);
  goOnline();
  await failed;
  expect(used).toEqual(['token 1', 'token 1', 'token 1', 'token 1', 'token 1']);
  expect(waits).toEqual([1_000, 3_000, 8_000]);
  expect(left.slice(0, 2)).toEqual([sendingMs, sendingMs]);
});

test('a form that the visitor left while offline is not sent when the browser is back online', async () => {
  const { parts, used } = prepare();
  let wanted = true;
  goOnline(false);
  parts.wanted = () => wanted;
  parts.wait = async () => {
    wanted = false;
    goOnline();
  };
  await expect(sendForm('help', [], parts)).rejects.toMatchObject({ code: 'UNREACHABLE' });
  expect(used).toHaveLength(1);
});

test('a chunk that cannot be fetched offline is not taken for a missing one', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const { parts, used } = prepare(kept);
  const get = parts.tokens.get;
  let asked = 0;
  goOnline(false);
  parts.tokens.get = async () => {
    if (++asked === 5) goOnline();
    return asked < 5 ? Promise.reject(new PermanentError('The worker failed')) : get();
  };
  expect(await sendForm('help', [], parts)).toEqual(receipt);
  expect(used).toEqual(['token 1']);
});
