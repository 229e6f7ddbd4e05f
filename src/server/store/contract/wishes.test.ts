import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../../test/support/each-store.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { claimMail } from './mail-jobs.ts';
import { notFollowedUp } from './submission.ts';
import { alertKinds, reminderKind } from './submission-jobs.ts';

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
const change = { kinds: ['changed'], limit: 9, leaseMs: 60_000, longestMs: 24 * hourMs };

describe.each(eachStore())('what was said after sending, in %s', (_name, kind) => {
  async function prepare() {
    const opened = await kind.open();
    onTestFinished(() => opened.close());
    const clock = createClock(new Date().toISOString());
    const { store } = opened;
    const mailAll = async () => {
      for (const claim of await claimMail(store, clock.now(), 9, 60_000, 'new'))
        await store.finishDelivery(claim, clock.now());
      for (const claim of await store.claimJobs(change, clock.now())) await store.completeJob(claim);
    };
    const listWithdrawn = (until = clock.now()) =>
      store.listExpired({ rule: 'withdrawn', until, untouchedSince: until }, 9);
    return { opened, store, clock, mailAll, listWithdrawn };
  }

  test('of two people who record it at once one is first; the answers stay as they were', async () => {
    const { store, clock } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    const before = await store.findSubmission(reference);
    const names = ['AB', 'CD', 'EF'];
    for (const wish of ['no-contact', 'withdrawn'] as const) {
      const outcomes = await Promise.all(
        names.map((by) => store.recordStep(reference, wish, by, clock.now())),
      );
      expect(outcomes.filter((outcome) => outcome?.changed)).toHaveLength(1);
    }
    await store.addChange(reference, {
      ...{ at: clock.now(), by: 'GH', said: 'details' },
      answers: [{ key: 'Phone', value: '021 000 001' }],
    });
    const after = await store.findSubmission(reference);
    expect(after?.answers).toEqual(before?.answers);
    expect(after?.changes).toMatchObject([
      { said: 'no-contact', at: clock.now() },
      { said: 'withdrawn' },
      { said: 'details', by: 'GH', answers: [{ key: 'Phone', value: '021 000 001' }] },
    ]);
    for (const wish of ['no-contact', 'withdrawn'] as const)
      expect(await store.undoStep(reference, wish, clock.now(), undefined, 'AB')).toMatchObject({
        changed: true,
      });
    expect((await store.findSubmission(reference))?.followUp).toEqual(notFollowedUp);
    expect((await store.findSubmission(reference))?.changes?.at(-1)).toMatchObject({
      isUndo: true,
      by: 'AB',
    });
    expect(await store.undoStep(reference, 'withdrawn', clock.now())).toMatchObject({ changed: false });
  });

  test('what was withdrawn reminds nobody until that is undone; what asks for no contact does', async () => {
    const { store, clock } = await prepare();
    const urgent = { urgent: true, alert: true, remindAt: clock.now() };
    const reference = await storeSubmission(store, { receivedAt: clock.now(), ...urgent });
    const kinds = [reminderKind('team', 'help'), ...alertKinds];
    const reminding = async () => [
      await store.countJobs({ kinds, longestMs: hourMs, only: 'untaken' }, clock.now()),
      await store.countJobs({ kinds: ['escalate'], longestMs: hourMs, only: 'unreached' }, clock.now()),
      (await store.listOpen(9)).length,
      (await store.outlineOpen(9, ['help'])).length,
      (await store.summariseOpen()).length,
      (await store.summariseUnseen({ help: clock.now() }, clock.now())).length,
    ];
    clock.advance(hourMs / 2);
    const all = [2, 1, 1, 1, 1, 1];
    expect(await reminding()).toEqual(all);
    await store.recordStep(reference, 'no-contact', 'AB', clock.now());
    expect(await reminding()).toEqual(all);
    await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
    expect(await reminding()).toEqual([0, 0, 0, 0, 0, 0]);
    await store.undoStep(reference, 'withdrawn', clock.now());
    expect(await reminding()).toEqual(all);
  });

  test('each is mailed by a job that a later one renews, also while a server is at it', async () => {
    const { store, clock } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
    const [first] = await store.claimJobs(change, clock.now());
    expect(first).toMatchObject({ reference, attempts: 1 });
    expect(await store.claimJobs(change, clock.now())).toEqual([]);
    await store.undoStep(reference, 'withdrawn', clock.now());
    if (first) expect(await store.completeJob(first)).toBe(false);
    const [second] = await store.claimJobs(change, clock.now());
    if (second) expect(await store.completeJob(second)).toBe(true);
    expect(await store.claimJobs(change, clock.now())).toEqual([]);
  });

  test('what was withdrawn a week ago has expired once staff have both mails, and is no loss', async () => {
    const { store, clock, mailAll, listWithdrawn } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
    const until = clock.now();
    clock.advance(weekMs);
    expect(await listWithdrawn(until)).toEqual([]);
    for (const claim of await store.claimJobs(change, clock.now())) await store.completeJob(claim);
    // Its own mail still waits: nobody could look at it and undo that.
    expect(await listWithdrawn(until)).toEqual([]);
    await mailAll();
    const told = clock.now();
    expect(await listWithdrawn(new Date(told.getTime() - 1))).toEqual([]);
    expect(await listWithdrawn(told)).toEqual([reference]);
    expect(await store.eraseSubmissions([reference], 'withdrawn')).toBe(1);
    expect(await store.listLosses()).toEqual([]);
    const { received } = await store.readFigures('2000-01-01', '2099-12-31');
    expect(received).toMatchObject([{ form: 'help', count: 1 }]);
  });

  test('what reached staff only now is not erased in the same hour: they have a week to undo that', async () => {
    const { store, clock, mailAll, listWithdrawn } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
    clock.advance(2 * weekMs);
    await mailAll();
    expect(await listWithdrawn(new Date(clock.now().getTime() - weekMs))).toEqual([]);
    clock.advance(weekMs);
    expect(await listWithdrawn(new Date(clock.now().getTime() - weekMs))).toEqual([reference]);
  });

  test('long notes, and whoever presses without end, do not prevent that staff record no contact', async () => {
    const { store, clock } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    const note = { by: 'AB', said: 'details' as const, answers: [{ key: 'Note', value: 'x'.repeat(2_000) }] };
    for (let count = 0; count < 6; count++) await store.addChange(reference, { ...note, at: clock.now() });
    expect(await store.recordStep(reference, 'no-contact', 'AB', clock.now())).toMatchObject({
      changed: true,
    });
  });

  test('one that is undone at the last moment is not erased, and a step since then makes it stay longer', async () => {
    const { store, clock, mailAll, listWithdrawn } = await prepare();
    const [undone, touched] = [
      await storeSubmission(store, { receivedAt: clock.now() }),
      await storeSubmission(store, { receivedAt: clock.now() }),
    ];
    for (const reference of [undone, touched])
      await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
    await mailAll();
    const until = clock.now();
    clock.advance(hourMs);
    await store.recordStep(touched, 'taken', 'AB', clock.now());
    expect(await listWithdrawn(until)).toEqual([undone]);
    await store.undoStep(undone, 'withdrawn', clock.now());
    expect(await store.eraseSubmissions([undone], 'withdrawn')).toBe(0);
    expect(await store.findSubmission(undone)).not.toBeNull();
  });

  test('who presses while it is erased and the erasing never wait for each other', async () => {
    const { store, clock } = await prepare();
    for (let count = 0; count < 40; count++) {
      const reference = await storeSubmission(store, { receivedAt: clock.now() });
      await store.recordStep(reference, 'withdrawn', 'AB', clock.now());
      // A deadlock rejects one of them, and looks as if the database were away.
      await Promise.all([
        store.undoStep(reference, 'withdrawn', clock.now()),
        store.eraseSubmissions([reference]),
      ]);
    }
  });

  test('it crosses databases with its request, and the duty to mail it too', async () => {
    const { opened, store, clock, mailAll } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    await mailAll();
    await store.recordStep(reference, 'no-contact', 'AB', clock.now());
    const before = await store.findSubmission(reference);
    await opened.close();
    const later = await kind.reopen(opened);
    onTestFinished(() => later.close());
    expect(await later.findSubmission(reference)).toEqual(before);
    expect(await later.claimJobs(change, clock.now())).toMatchObject([{ reference }]);
  });
});
