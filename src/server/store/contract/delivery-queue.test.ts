import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eachStore, type OpenedStore } from '../../../../test/support/each-store.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import type { ClaimedSubmission } from './claimed-submissions.ts';
import { claimMail, parkMail, postponeMail } from './mail-jobs.ts';
import type { Store } from './store.ts';

const leaseMs = 60_000;
const minute = 60_000;
const day = 24 * 60 * minute;

describe.each(eachStore())('deliveries in %s', (_name, { open }) => {
  let opened: OpenedStore;
  let store: Store;
  let clock: ReturnType<typeof createClock>;

  beforeEach(async () => {
    opened = await open();
    store = opened.store;
    clock = createClock();
  });
  afterEach(() => opened.close());

  const keep = (form: 'help' | 'contact' = 'help') =>
    storeSubmission(store, { form, receivedAt: clock.now() });
  const claim = (limit = 10, which: 'new' | 'retry' | 'held' = 'new') =>
    claimMail(store, clock.now(), limit, leaseMs, which);
  const statusOf = async (reference: string) => (await store.findSubmission(reference))?.delivery;

  test('a claimed delivery belongs to one server until its lease ends, and then to any', async () => {
    const reference = await keep();
    const [first] = await claim();
    expect(first?.submission).toMatchObject({ reference, form: 'help', delivery: { attempts: 1 } });
    expect(await claim()).toEqual([]);
    expect(await claim(10, 'retry')).toEqual([]);
    clock.advance(leaseMs);
    expect(await claim()).toEqual([]);
    const [second] = await claim(10, 'retry');
    expect(second?.submission).toMatchObject({ reference, delivery: { attempts: 2 } });
  });

  test('a held delivery is claimed separately, when it is due, unless it is retried by its reference', async () => {
    const heldUntil = new Date(clock.now().getTime() + 10 * minute);
    const held = await storeSubmission(store, { receivedAt: clock.now(), heldUntil });
    const named = await storeSubmission(store, { receivedAt: clock.now(), heldUntil });
    const open = await keep();
    expect((await claim()).map((one) => one.submission.reference)).toEqual([open]);
    expect(await claim(10, 'held')).toEqual([]);
    await store.retryDeliveries({ reference: named }, clock.now());
    expect((await claim()).map((one) => one.submission.reference)).toEqual([named]);
    clock.advance(10 * minute);
    const [due, ...none] = await claim(10, 'held');
    expect([due?.submission.reference, none]).toEqual([held, []]);
    if (due) await postponeMail(store, due, clock.now(), 'SMTP 451 at DATA');
    expect((await claim(10, 'retry')).map((one) => one.submission.reference)).not.toContain(held);
    expect((await claim(10, 'held')).map((one) => one.submission.reference)).toEqual([held]);
  });

  test('a server that finishes after its lease was given to another is fenced off', async () => {
    const reference = await keep();
    const [late] = await claim();
    clock.advance(leaseMs + 1);
    expect(await claim()).toEqual([]);
    const [next] = await claim(10, 'retry');
    if (!late || !next) throw new Error('nothing claimed');
    expect(await store.finishDelivery(late, clock.now())).toBe(false);
    expect(await parkMail(store, late, clock.now(), 'SMTP 550 at RCPT TO')).toBe(false);
    expect(await postponeMail(store, late, clock.now(), 'SMTP 451 at DATA')).toBe(false);
    expect(await statusOf(reference)).toMatchObject({ deliveredAt: null, parkedAt: null, lastError: null });
    expect(await store.finishDelivery(next, clock.now())).toBe(true);
    expect(await store.finishDelivery(next, clock.now())).toBe(false);
    expect((await statusOf(reference))?.deliveredAt).toEqual(clock.now());
  });

  test('servers that claim at the same time share the work, and nothing is claimed twice', async () => {
    const kept = await Promise.all(Array.from({ length: 60 }, () => keep()));
    const claims = (await Promise.all(Array.from({ length: 12 }, () => claim(5)))).flat();
    const references = claims.map(({ submission }) => submission.reference);
    expect(new Set(references).size).toBe(references.length);
    const rest = (await claim(100)).map(({ submission }) => submission.reference);
    expect([...references, ...rest].sort()).toEqual([...kept].sort());
  });

  test('a postponed delivery is due again at its time, separate from new ones, the longest due first', async () => {
    const [old, older] = [await keep(), await keep()];
    for (const one of await claim()) {
      const after = one.submission.reference === older ? minute : 2 * minute;
      await postponeMail(store, one, new Date(clock.now().getTime() + after), 'SMTP 451 at DATA');
    }
    const fresh = await keep();
    const [next] = await claim();
    expect(next?.submission.reference).toBe(fresh);
    if (next) await store.finishDelivery(next, clock.now());
    expect(await claim(10, 'retry')).toEqual([]);
    clock.advance(2 * minute);
    expect((await claim(1, 'retry')).map((one) => one.submission.reference)).toEqual([older]);
    expect((await claim(1, 'retry')).map((one) => one.submission.reference)).toEqual([old]);
    expect((await statusOf(old))?.lastError).toBe('SMTP 451 at DATA');
  });

  test('a parked delivery is due once more a day later, and parked again where it is refused', async () => {
    const day = 24 * 60 * 60_000;
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    const [parked] = await claim();
    if (parked) await parkMail(store, parked, clock.now(), 'SMTP 550 at RCPT TO');
    clock.advance(day - 1);
    expect(await claim(10, 'retry')).toEqual([]);
    clock.advance(1);
    const [again, ...more] = await claim(10, 'retry');
    expect([again?.submission.reference, more]).toEqual([reference, []]);
    if (again) await parkMail(store, again, clock.now(), 'SMTP 550 at RCPT TO');
    expect(await claim(10, 'retry')).toEqual([]);
    expect(await statusOf(reference)).toMatchObject({ parkedAt: clock.now(), attempts: 2 });
  });

  test('one that was held and refused for good comes with others again, a day later or when it is retried', async () => {
    const held = () => storeSubmission(store, { receivedAt: clock.now(), heldUntil: clock.now() });
    const [one, other] = [await held(), await held()];
    for (const claimed of await claim(10, 'held'))
      await parkMail(store, claimed, clock.now(), 'SMTP 550 at DATA');
    expect(await store.summariseUndelivered()).toMatchObject([{ waiting: 0, held: 0, parked: 2 }]);
    expect(await store.retryDeliveries('all', clock.now())).toHaveLength(2);
    const again = await claim(10, 'held');
    expect(again.map(({ reference }) => reference)).toEqual([one, other]);
    for (const claimed of again) await parkMail(store, claimed, clock.now(), 'SMTP 550 at DATA');
    clock.advance(24 * 60 * minute);
    expect(await claim(10, 'retry')).toEqual([]);
    expect(await claim(10, 'held')).toHaveLength(2);
  });

  test('a delivery that was parked by a clock far ahead is due once more too', async () => {
    await storeSubmission(store, { receivedAt: clock.now() });
    const [parked] = await claim();
    const wrong = new Date(clock.now().getTime() + 400 * 24 * 60 * 60_000);
    if (parked) await parkMail(store, parked, wrong, 'SMTP 550 at RCPT TO');
    expect(await claim(10, 'retry')).toHaveLength(1);
  });

  test('a parked delivery stays parked until it is retried, and then counts as new', async () => {
    const reference = await keep();
    const [parked] = await claim();
    if (parked) await parkMail(store, parked, clock.now(), 'SMTP 550 at RCPT TO');
    clock.advance(1000 * minute);
    expect(await claim(10, 'retry')).toEqual([]);
    expect(await store.retryDeliveries({ reference: 'XXXX-XXXX' }, clock.now())).toEqual([]);
    expect(await store.retryDeliveries({ reference }, clock.now())).toEqual([reference]);
    expect((await claim()).map((one) => one.submission.delivery.attempts)).toEqual([1]);
  });

  test('a delivered request is sent again only where it is retried by its reference', async () => {
    const [again, done] = [await keep(), await keep()];
    for (const one of await claim()) await store.finishDelivery(one, clock.now());
    expect(await store.retryDeliveries({ reference: again }, clock.now())).toEqual([again]);
    expect(await statusOf(again)).toMatchObject({ attempts: 0, deliveredAt: null });
    const [claimed] = await claim();
    expect(claimed?.submission.reference).toBe(again);
    if (claimed) expect(await store.finishDelivery(claimed, clock.now())).toBe(true);
    expect((await statusOf(done))?.deliveredAt).toEqual(clock.now());
  });

  test('a retry of all sends nothing again that was delivered, and releases no lease', async () => {
    const [done, inHand] = [await keep(), await keep()];
    for (const one of await claim()) {
      if (one.submission.reference === done) await store.finishDelivery(one, clock.now());
    }
    expect(await store.retryDeliveries('all', clock.now())).toEqual([inHand]);
    expect(await claim()).toEqual([]);
  });

  test('a delivery that a clock a week ahead postponed or leased is due once the clock is right', async () => {
    const right = clock.now();
    clock.advance(7 * day);
    const [held, putOff, fresh] = [await keep(), await keep(), await keep()];
    const [late] = await claim(1);
    const [second] = await claim(1);
    if (second)
      await postponeMail(store, second, new Date(clock.now().getTime() + minute), 'SMTP 451 at DATA');
    const references = (claims: ClaimedSubmission[]) => claims.map(({ submission }) => submission.reference);

    const at = (tried: 'new' | 'retry', now = right) => claimMail(store, now, 10, leaseMs, tried);
    expect(references(await at('new'))).toEqual([fresh]);
    const again = await at('retry');
    expect(references(again).toSorted()).toEqual([held, putOff].toSorted());
    expect(await at('retry')).toEqual([]);
    if (late) expect(await store.finishDelivery(late, right)).toBe(false);
    for (const one of again) expect(await store.finishDelivery(one, right)).toBe(true);
  });

  test('a server whose clock is minutes ahead shortens no lease and no postponement', async () => {
    for (let n = 0; n < 2; n++) await keep();
    const ahead = new Date(clock.now().getTime() + 5 * minute);
    const [one, other, ...more] = await claimMail(store, ahead, 10, leaseMs, 'new');
    if (!one || !other) throw new Error('Two deliveries were due');
    expect(more).toEqual([]);
    const later = new Date(clock.now().getTime() + 20 * minute);
    expect(await postponeMail(store, one, later, 'SMTP 451 at DATA')).toBe(true);
    expect(await claim(10, 'retry')).toEqual([]);
  });

  test('undelivered requests are summed up by form', async () => {
    expect(await store.summariseUndelivered()).toEqual([]);
    const refused = await keep('contact');
    for (const one of await claim()) await parkMail(store, one, clock.now(), 'SMTP 550 at RCPT TO');
    const oldestReceivedAt = clock.now();
    await keep();
    clock.advance(minute);
    const heldUntil = new Date(clock.now().getTime() + minute);
    await storeSubmission(store, { receivedAt: clock.now(), heldUntil });
    const summary = await store.summariseUndelivered();
    expect(summary.toSorted((a, b) => (a.form < b.form ? -1 : 1))).toEqual([
      { form: 'contact', waiting: 0, held: 0, oldestReceivedAt: null, parked: 1 },
      { form: 'help', waiting: 2, held: 1, oldestReceivedAt, parked: 0 },
    ]);
    // What somebody has answered needs no mail any more.
    await store.recordStep(refused, 'answered', 'AB', clock.now());
    expect(await store.summariseUndelivered()).toMatchObject([{ form: 'help' }]);
  });

  test('submissions are listed newest first, page by page, by form and by date', async () => {
    const references: string[] = [];
    for (let n = 0; n < 450; n++) {
      references.push(await keep(n % 3 === 0 ? 'contact' : 'help'));
      clock.advance(minute);
    }
    const list = async (filter: Parameters<Store['iterateSubmissions']>[0]) => {
      const found: string[] = [];
      for await (const one of store.iterateSubmissions(filter)) found.push(one.reference);
      return found;
    };
    expect(await list({})).toEqual(references.toReversed());
    expect(await store.countSubmissions({})).toEqual({ total: 450, sealed: 0 });
    expect(await store.countSubmissions({ form: 'contact' })).toEqual({ total: 150, sealed: 0 });
    const since = new Date(clock.now().getTime() - 10 * minute);
    const until = new Date(clock.now().getTime() - 5 * minute);
    expect(await list({ since, until })).toEqual(references.slice(440, 445).toReversed());
    expect(await store.listDefinitions({ form: 'help' })).toHaveLength(1);
    expect(await store.listDefinitions({})).toHaveLength(2);
  });
});
