import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../../test/support/each-store.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import type { UntilByForm } from './follow-ups.ts';

const hours = 3_600_000;

describe.each(eachStore())('what nobody has seen in %s', (_name, kind) => {
  afterAll(() => kind.end());

  test('is listed and counted by form, up to a time: taken, answered and read are seen', async () => {
    const opened = await kind.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const clock = createClock(new Date().toISOString());
    const oldest = clock.now();
    const receive = (changes = {}) => storeSubmission(store, { receivedAt: clock.now(), ...changes });
    const doubtful = await receive({ verdict: { kind: 'many' } });
    const [plain, again] = [await receive(), await receive({ rank: 2 })];
    for (const step of ['taken', 'answered'] as const)
      await store.recordStep(await receive(), step, 'AB', oldest);
    const read = await receive();
    expect(await store.recordRead([read], clock.now())).toBe(1);
    await receive({ canary: true });
    clock.advance(hours);
    const [later, urgent] = [await receive(), await receive({ urgent: true })];
    const message = await receive({ form: 'contact' });
    clock.advance(hours);
    await receive();
    const anHourAgo = new Date(clock.now().getTime() - hours);
    const until = { help: anHourAgo, contact: anHourAgo };
    const list = async (when: UntilByForm, limit = 10) =>
      (await store.listUnseen(when, limit)).map(({ reference }) => reference);
    expect(await list({ help: anHourAgo })).toEqual([urgent, plain, later, again, doubtful]);
    expect(await list({ contact: anHourAgo })).toEqual([message]);
    expect(await list(until, 2)).toEqual([urgent, plain]);
    expect(await store.summariseUnseen(until)).toEqual([
      { form: 'contact', open: 1, urgentUntaken: 0, oldestReceivedAt: anHourAgo },
      { form: 'help', open: 5, urgentUntaken: 1, oldestReceivedAt: oldest },
    ]);
    expect(await store.summariseUnseen({ help: new Date(oldest.getTime() - 1) })).toEqual([]);
    await store.recordStep(urgent, 'taken', 'AB', clock.now());
    expect(await list(until, 1)).toEqual([plain]);
    await store.undoStep(urgent, 'taken', clock.now());
    expect(await list(until, 1)).toEqual([urgent]);
  });
});
