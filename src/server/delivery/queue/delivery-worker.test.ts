import { describe, expect, onTestFinished, test } from 'vitest';
import { workerFor } from '../../../../test/support/delivery.ts';
import { sqlite } from '../../../../test/support/each-store.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import type { WrittenMail } from '../mail.ts';
import type { SendOutcome } from '../mail-transport.ts';
import { workerDefaults } from './delivery-worker.ts';

const minute = 60_000;
const hour = 60 * minute;

/** A mail server in one function: what it does with each mail, and what it took. */
function fakeTransport(act: (mail: WrittenMail) => SendOutcome | Promise<SendOutcome>) {
  const taken: string[] = [];
  let now = 0;
  let most = 0;
  return {
    taken,
    most: () => most,
    transport: {
      description: 'a test',
      async send(mail: WrittenMail) {
        most = Math.max(most, ++now);
        const outcome = await act(mail);
        now--;
        if (outcome.ok) taken.push(mail.name);
        return outcome;
      },
    },
  };
}
const later = { ok: false, permanent: false, reason: 'SMTP 451 at DATA' } as const;
const never = { ok: false, permanent: true, reason: 'SMTP 550 at RCPT TO' } as const;

describe('the worker', () => {
  async function prepare() {
    const { store, close } = await sqlite.open();
    onTestFinished(close);
    const clock = createClock();
    const keep = async (count: number) => {
      const kept: string[] = [];
      for (let n = 0; n < count; n++) kept.push(await storeSubmission(store, { receivedAt: clock.now() }));
      return kept;
    };
    return { store, clock, keep };
  }

  test('a flood of new requests does not delay a mail that failed once', async () => {
    const { store, clock, keep } = await prepare();
    const [person = ''] = await keep(1);
    let tries = 0;
    const { taken, transport } = fakeTransport(({ name }) =>
      name === person && tries++ === 0 ? later : { ok: true },
    );
    const worker = workerFor(store, transport, clock.now, { everyMs: 2_000 });
    await worker.sendDue();
    clock.advance(minute);
    // From here on there is always something that was never tried.
    await keep(40);
    for (let turn = 0; turn < 20 && !taken.includes(person); turn++) {
      await worker.sendDue();
      clock.advance(2_000);
    }
    expect(taken.indexOf(person)).toBeGreaterThanOrEqual(0);
    expect(taken.indexOf(person)).toBeLessThanOrEqual(8);
  });

  test('after seven days without a mail server every request is sent, at a bounded rate', async () => {
    const { store, clock, keep } = await prepare();
    let up = false;
    let attempts = 0;
    const { taken, transport, most } = fakeTransport(() => {
      attempts++;
      return up ? { ok: true } : later;
    });
    const { everyMs, concurrency } = workerDefaults;
    const worker = workerFor(store, transport, clock.now, { everyMs });
    const kept: string[] = [];
    for (let hours = 0; hours < 7 * 24; hours++) {
      if (hours % 3 === 0) kept.push(...(await keep(1)));
      await worker.sendDue();
      clock.advance(hour);
    }
    const unlucky = attempts;
    expect(taken).toEqual([]);
    expect(unlucky).toBeGreaterThan(7 * 24);
    expect(most()).toBeLessThanOrEqual(concurrency);

    up = true;
    for (let minutes = 0; minutes < 60 && taken.length < kept.length; minutes++) {
      const before = taken.length;
      for (let tick = 0; tick < minute; tick += 5_000) {
        await worker.sendDue();
        clock.advance(5_000);
      }
      expect(taken.length - before).toBeLessThanOrEqual(minute / everyMs + concurrency);
    }
    expect(taken.toSorted()).toEqual(kept.toSorted());
    expect(await store.summariseUndelivered()).toEqual([]);
  });

  test.each([
    ['refused for good', never],
    ['put off', later],
  ])('behind a hundred mails that are %s the next good one is sent at once', async (_what, outcome) => {
    const { store, clock, keep } = await prepare();
    const bad = new Set(await keep(100));
    const { taken, transport } = fakeTransport(({ name }) => (bad.has(name) ? outcome : { ok: true }));
    const worker = workerFor(store, transport, clock.now, { everyMs: workerDefaults.everyMs });
    for (let n = 0; n < 30; n++) {
      await worker.sendDue();
      clock.advance(30_000);
    }
    clock.advance(hour);
    const [good] = await keep(1);
    await worker.sendDue();
    expect(taken).toEqual([good]);
  });

  test('mails that hang do not delay a new request', async () => {
    const { store, clock, keep } = await prepare();
    const hanging = new Set(await keep(10));
    let hang: Promise<SendOutcome> = Promise.resolve(later);
    const { taken, transport } = fakeTransport(({ name }) => (hanging.has(name) ? hang : { ok: true }));
    const worker = workerFor(store, transport, clock.now);
    await worker.sendDue();
    clock.advance(hour);
    const release = Promise.withResolvers<SendOutcome>();
    hang = release.promise;
    const sending = worker.sendDue();
    const [good] = await keep(1);
    worker.wake();
    await expect.poll(() => taken).toEqual([good]);
    release.resolve(later);
    await sending;
  });

  test.each([
    ['a new request wakes the worker long before the next poll', 3_600_000],
    ['a poll finds requests for which nobody woke the worker', 20],
  ])('%s', async (_what, pollMs) => {
    const { store, clock, keep } = await prepare();
    const { taken, transport } = fakeTransport(() => ({ ok: true }));
    const worker = workerFor(store, transport, clock.now, { pollMs });
    worker.start();
    onTestFinished(() => worker.stop());
    const kept: string[] = [];
    for (let n = 0; n < 2; n++) {
      kept.push(...(await keep(1)));
      if (pollMs > 1_000) worker.wake();
      await expect.poll(() => taken).toEqual(kept);
    }
  });

  test('a worker that stops finishes the mails it is sending, and claims none', async () => {
    const { store, clock, keep } = await prepare();
    await keep(9);
    const release = Promise.withResolvers<SendOutcome>();
    const { taken, transport, most } = fakeTransport(() => release.promise);
    const worker = workerFor(store, transport, clock.now);
    worker.start();
    await expect.poll(most).toBe(workerDefaults.concurrency);
    const stopped = worker.stop();
    release.resolve({ ok: true });
    await stopped;
    expect(taken).toHaveLength(workerDefaults.concurrency);
    const [summary] = await store.summariseUndelivered();
    expect(summary?.waiting).toBe(9 - workerDefaults.concurrency);
  });

  test('a mail that hangs delays the stop for a bounded time', async () => {
    const { store, clock, keep } = await prepare();
    await keep(1);
    const { transport, most } = fakeTransport(() => new Promise(() => {}));
    const worker = workerFor(store, transport, clock.now, { stopMs: 10 });
    worker.start();
    await expect.poll(most).toBe(1);
    await worker.stop();
    expect(await store.summariseUndelivered()).toMatchObject([{ waiting: 1 }]);
  });

  test('a mail that cannot be written is postponed, and the others are sent', async () => {
    const { store, clock, keep } = await prepare();
    const [broken, fine] = await keep(2);
    const { taken, transport } = fakeTransport(({ name }) => {
      if (name === broken) throw new TypeError('not of this mail');
      return { ok: true };
    });
    await workerFor(store, transport, clock.now).sendDue();
    expect(taken).toEqual([fine]);
    const kept = await store.findSubmission(broken ?? '');
    expect(kept?.delivery).toMatchObject({ parkedAt: null, lastError: 'TypeError at writing' });
  });
});
