import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../../test/support/each-store.ts';
import {
  createClock,
  type SubmissionChanges,
  storeSubmission,
} from '../../../../test/support/stored-submissions.ts';
import type { BotVerdict } from '../../../model/bot-verdict.ts';
import { formNames } from '../../../model/form-field.ts';
import { claimMail } from './mail-jobs.ts';

const minutes = 60_000;

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
    for (const claim of await claimMail(store, clock.now(), 99, minutes, 'new'))
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
});
