import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../../test/support/each-store.ts';
import {
  createClock,
  type SubmissionChanges,
  storeSubmission,
} from '../../../../test/support/stored-submissions.ts';
import type { BotVerdict } from '../../../model/bot-verdict.ts';
import { formNames } from '../../../model/form-field.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const urgentOnes = { afterMs: hours, leaseMs: minutes, limit: 99, forms: formNames };

describe.each(eachStore())('the order in which staff hear of requests in %s', (_name, kind) => {
  async function prepare() {
    const opened = await kind.open();
    onTestFinished(() => opened.close());
    return { store: opened.store, clock: createClock(new Date().toISOString()) };
  }

  test('open ones are listed in turns of their clients, doubtful ones last, also after they were delivered', async () => {
    const { store, clock } = await prepare();
    const add = (changes: Partial<SubmissionChanges>) =>
      storeSubmission(store, { receivedAt: clock.now(), ...changes });
    const verdict: BotVerdict = { kind: 'no-script', doubts: [] };
    const flood = [];
    for (const rank of [1, 2, 3]) flood.push(await add({ rank, verdict, urgent: true }));
    const calmFlood = [];
    for (const rank of [1, 2, 3]) calmFlood.push(await add({ rank, verdict }));
    clock.advance(minutes);
    const doubted = await add({ verdict: { kind: 'low-score', score: 0.1 } });
    const clean = [await add({ rank: 9, urgent: true }), await add({}), await add({ rank: 2 })];
    for (const claim of await store.claimDueDeliveries(clock.now(), 99, minutes, 'new'))
      await store.finishDelivery(claim, clock.now());
    const order = [...clean, ...flood, calmFlood[0], doubted, ...calmFlood.slice(1)];
    expect((await store.listOpen(99)).map(({ reference }) => reference)).toEqual(order);
    expect((await store.outlineOpen(99, formNames)).map(({ reference }) => reference)).toEqual(order);
    expect(await store.outlineOpen(99, ['contact'])).toEqual([]);
    expect(await store.outlineOpen(1, formNames)).toEqual([
      {
        ...{ reference: clean[0], form: 'help', receivedAt: clock.now(), urgent: true, doubtful: false },
        ...{ trapped: false, deliveredAt: clock.now(), takenAt: null, seenAt: null, namedAt: null },
      },
    ]);
    await store.recordStep(clean[0] ?? '', 'taken', 'AB', clock.now());
    await store.recordNamed([clean[0] ?? '', doubted], clock.now());
    const named = (await store.outlineOpen(99, formNames)).filter(({ namedAt }) => namedAt !== null);
    expect(named).toMatchObject([
      { reference: clean[0], takenAt: clock.now(), seenAt: clock.now(), namedAt: clock.now() },
      { reference: doubted, doubtful: true, namedAt: clock.now() },
    ]);
  });

  test('of urgent ones those without a doubt are claimed first, clients in turns, and the doubtful others can wait', async () => {
    const { store, clock } = await prepare();
    const add = (changes: Partial<SubmissionChanges>) =>
      storeSubmission(store, { receivedAt: clock.now(), urgent: true, ...changes });
    const verdict: BotVerdict = { kind: 'many' };
    const flood = [];
    for (const rank of [1, 2, 3]) flood.push(await add({ rank, verdict }));
    clock.advance(minutes);
    const [clean, doubted] = [await add({ rank: 5 }), await add({ verdict })];
    await add({ form: 'contact' });
    clock.advance(hours);
    const help = { ...urgentOnes, forms: ['help' as const] };
    expect(await store.countUrgentReminders(clock.now(), help)).toBe(5);
    const claims = await store.claimUrgentReminders(clock.now(), { ...help, limit: 3 });
    expect(claims.map(({ submission }) => submission.reference)).toEqual([clean, flood[0], doubted]);
    const nextAt = new Date(clock.now().getTime() + 2 * hours);
    const late = await add({ receivedAt: new Date(clock.now().getTime() - 2 * hours) });
    await store.deferDoubtfulReminders(clock.now(), help, nextAt);
    const [left, ...others] = await store.claimUrgentReminders(clock.now(), help);
    expect([left?.submission.reference, others.length]).toEqual([late, 0]);
    for (const claim of [...claims, ...(left ? [left] : [])])
      await store.finishUrgentReminder(claim, nextAt, false);
    expect(await store.countUrgentReminders(clock.now(), help)).toBe(0);
    expect(await store.countUrgentReminders(nextAt, help)).toBe(6);
    const all = await store.claimUrgentReminders(nextAt, help);
    // Those that no mail has named come before others of which there is as much doubt.
    expect(all.map(({ submission, before }) => [submission.reference, before])).toEqual([
      [late, 1],
      [clean, 1],
      [flood[1], 0],
      [flood[2], 0],
      [flood[0], 1],
      [doubted, 1],
    ]);
  });

  test('who was named once keeps their turn, however many new ones a few clients send', async () => {
    const { store, clock } = await prepare();
    const add = (rank: number) => storeSubmission(store, { receivedAt: clock.now(), urgent: true, rank });
    const person = await add(1);
    const named = [];
    for (let round = 0; round < 3; round++) {
      for (const rank of [1, 2, 3, 4, 5]) await Promise.all([add(rank), add(rank)]);
      clock.advance(hours);
      const claims = await store.claimUrgentReminders(clock.now(), { ...urgentOnes, limit: 8 });
      named.push(claims.some(({ submission }) => submission.reference === person));
      for (const claim of claims) await store.finishUrgentReminder(claim, clock.now(), false);
    }
    expect(named).toEqual([true, true, true]);
  });

  test('of more open ones than are read, urgent ones of one client do not hide who is calm', async () => {
    const { store, clock } = await prepare();
    const add = (changes: Partial<SubmissionChanges>) =>
      storeSubmission(store, { receivedAt: clock.now(), ...changes });
    const person = await add({});
    const flood = [];
    for (let rank = 1; rank <= 12; rank++) flood.push(await add({ rank, urgent: true }));
    const outline = (await store.outlineOpen(6, formNames)).map(({ reference }) => reference);
    expect(outline).toEqual([...flood.slice(0, 5), person]);
  });

  test('of alerts those without a doubt are claimed first, clients in turns', async () => {
    const { store, clock } = await prepare();
    const add = (changes: Partial<SubmissionChanges>) =>
      storeSubmission(store, { receivedAt: clock.now(), urgent: true, alert: true, ...changes });
    const flood = [];
    for (const rank of [1, 2, 3]) flood.push(await add({ rank, verdict: { kind: 'many' } }));
    const second = await add({ rank: 2 });
    clock.advance(minutes);
    const [first, doubted] = [await add({}), await add({ verdict: { kind: 'many' } })];
    const claim = async (limit: number) =>
      (await store.claimAlerts(clock.now(), limit, minutes)).map(({ reference }) => reference);
    expect(await claim(3)).toEqual([first, second, flood[0]]);
    expect(await claim(9)).toEqual([doubted, flood[1], flood[2]]);
  });

  test('an alert rings for an old one with a reminder alone', async () => {
    const { store, clock } = await prepare();
    const receivedAt = new Date(clock.now().getTime() - 73 * hours);
    const reference = await storeSubmission(store, { receivedAt, urgent: true, alert: true });
    expect(await store.claimAlerts(clock.now(), 10, minutes)).toEqual([]);
    for (const claim of await store.claimUrgentReminders(clock.now(), urgentOnes))
      await store.finishUrgentReminder(claim, clock.now(), true);
    expect(await store.claimAlerts(clock.now(), 10, minutes)).toMatchObject([{ reference, escalated: true }]);
  });
});
