import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../../test/support/each-store.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import { answerBounds } from './counts.ts';
import { notFollowedUp } from './submission.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const ever = ['2000-01-01', '2099-12-31'] as const;

describe.each(eachStore())('follow-ups in %s', (_name, kind) => {
  async function prepare() {
    const opened = await kind.open();
    onTestFinished(() => opened.close());
    const clock = createClock(new Date().toISOString());
    return { opened, store: opened.store, clock };
  }

  test('two people take a request at once: one is first, and the other sees who', async () => {
    const { store, clock } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    expect((await store.findSubmission(reference))?.followUp).toEqual(notFollowedUp);
    const names = ['AB', 'CD', 'EF', 'GH'];
    const outcomes = await Promise.all(
      names.map((name) => store.recordStep(reference, 'taken', name, clock.now())),
    );
    const first = names[outcomes.findIndex((outcome) => outcome?.changed)];
    expect(outcomes.filter((outcome) => outcome?.changed)).toHaveLength(1);
    const state = { ...notFollowedUp, takenBy: first, takenAt: clock.now(), seenAt: clock.now() };
    expect(outcomes.map((outcome) => outcome?.followUp)).toEqual(names.map(() => state));
    expect((await store.findSubmission(reference))?.followUp).toEqual(state);
  });

  test('what was answered cannot be taken, and both can be undone', async () => {
    const { store, clock } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    await store.recordStep(reference, 'taken', 'AB', clock.now());
    const answered = await store.recordStep(reference, 'answered', 'CD', clock.now());
    expect(answered).toMatchObject({ changed: true, followUp: { takenBy: 'AB', answeredBy: 'CD' } });
    expect(await store.undoStep(reference, 'taken', clock.now())).toMatchObject({ changed: true });
    expect(await store.recordStep(reference, 'taken', 'EF', clock.now())).toMatchObject({
      changed: false,
      followUp: { takenBy: null, answeredBy: 'CD' },
    });
    expect(await store.recordStep(reference, 'answered', 'EF', clock.now())).toMatchObject({
      changed: false,
      followUp: { answeredBy: 'CD' },
    });
    expect(await store.undoStep(reference, 'answered', clock.now())).toEqual({
      changed: true,
      followUp: notFollowedUp,
    });
    expect(await store.undoStep(reference, 'answered', clock.now())).toMatchObject({ changed: false });
    expect(await store.recordStep(reference, 'taken', 'EF', clock.now())).toMatchObject({ changed: true });
  });

  test('an undo of a certain press undoes that one, and not what somebody did later', async () => {
    const { store, clock } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    for (const step of ['taken', 'answered'] as const) {
      const recorded = await store.recordStep(reference, step, 'AB', clock.now());
      const since = recorded?.followUp[`${step}At`] ?? undefined;
      const undo = () => store.undoStep(reference, step, clock.now(), since);
      const [first, again] = [await undo(), await undo()];
      expect([first, again]).toMatchObject([{ changed: true }, { changed: false }]);
      clock.advance(1);
      await store.recordStep(reference, step, 'CD', clock.now());
      expect(await undo()).toMatchObject({ changed: false, followUp: { [`${step}By`]: 'CD' } });
    }
  });

  test('nothing can be done about what is not there, was erased, or is the canary', async () => {
    const { store, clock } = await prepare();
    const receivedAt = clock.now();
    const erased = await storeSubmission(store, { receivedAt, urgent: true, alert: true });
    const canary = await storeSubmission(store, { receivedAt, urgent: true, alert: true, canary: true });
    await store.recordStep(erased, 'answered', 'AB', clock.now());
    expect(await store.eraseOne(erased, clock.now())).toBe('erased');
    clock.advance(2 * hours);
    for (const reference of [erased, canary, 'ZZZZ-9999']) {
      expect(await store.recordStep(reference, 'taken', 'AB', clock.now())).toBeNull();
      expect(await store.recordStep(reference, 'answered', 'AB', clock.now())).toBeNull();
      expect(await store.undoStep(reference, 'answered', clock.now())).toBeNull();
    }
    expect(await store.listOpen(10)).toEqual([]);
    expect(await store.summariseOpen()).toEqual([]);
    expect((await store.findCanary(canary))?.attempts).toBe(0);
  });

  test('open ones are listed urgent first, then oldest first, and counted by form', async () => {
    const { store, clock } = await prepare();
    const oldest = clock.now();
    const answered = await storeSubmission(store, { receivedAt: oldest });
    const first = await storeSubmission(store, { receivedAt: oldest });
    clock.advance(hours);
    const second = await storeSubmission(store, { receivedAt: clock.now(), form: 'contact' });
    clock.advance(hours);
    const urgent = await storeSubmission(store, { receivedAt: clock.now(), urgent: true });
    await store.recordStep(answered, 'answered', 'AB', clock.now());
    await store.recordStep(first, 'taken', 'AB', clock.now());
    const listed = (await store.listOpen(10)).map(({ reference }) => reference);
    expect(listed).toEqual([urgent, first, second]);
    expect((await store.listOpen(1)).map(({ reference }) => reference)).toEqual([urgent]);
    expect(await store.summariseOpen()).toEqual([
      { form: 'contact', open: 1, urgentUntaken: 0, oldestReceivedAt: new Date(oldest.getTime() + hours) },
      { form: 'help', open: 2, urgentUntaken: 1, oldestReceivedAt: oldest },
    ]);
  });

  test('the first answer is counted once, by how long it took, also where it is undone', async () => {
    const { store, clock } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    clock.advance(3 * hours);
    await Promise.all(['AB', 'CD'].map((name) => store.recordStep(reference, 'answered', name, clock.now())));
    await store.undoStep(reference, 'answered', clock.now());
    clock.advance(30 * hours);
    await store.recordStep(reference, 'answered', 'CD', clock.now());
    const late = await storeSubmission(store, { receivedAt: new Date(clock.now().getTime() - 900 * hours) });
    await store.recordStep(late, 'answered', 'CD', clock.now());
    const { answered } = await store.readFigures(...ever);
    expect(answered.map(({ form, within, count }) => [form, within, count]).toSorted()).toEqual(
      [
        ['help', (4 * hours) / 1000, 1],
        ['help', answerBounds.at(-1), 1],
      ].toSorted(),
    );
    expect((await store.readCounts()).filter(({ most }) => most > 0)).toEqual([]);
  });

  test('a step is still recorded when the store is opened again', async () => {
    const { opened, store, clock } = await prepare();
    const reference = await storeSubmission(store, { receivedAt: clock.now() });
    await store.recordStep(reference, 'taken', 'AB', clock.now());
    await opened.close();
    const later = await kind.reopen(opened);
    onTestFinished(() => later.close());
    expect((await later.findSubmission(reference))?.followUp.takenBy).toBe('AB');
  });
});
