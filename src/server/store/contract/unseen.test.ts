import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../../test/support/each-store.ts';
import { claimEscalations, claimReminders, referencesOf } from '../../../../test/support/jobs.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';

const hours = 3_600_000;

describe.each(eachStore())('what nobody has seen in %s', (_name, kind) => {
  test('is counted by form, up to a time: taken, answered and read are seen, and no program is counted', async () => {
    const opened = await kind.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const clock = createClock(new Date().toISOString());
    const oldest = clock.now();
    const receive = (changes = {}) => storeSubmission(store, { receivedAt: clock.now(), ...changes });
    await receive({ verdict: { kind: 'many' } });
    await receive({ verdict: { kind: 'no-script', doubts: ['old'] } });
    await receive({ verdict: { kind: 'no-script', doubts: ['old', 'trap'] }, urgent: true });
    for (const step of ['taken', 'answered'] as const)
      await store.recordStep(await receive(), step, 'AB', oldest);
    const read = await receive();
    expect(await store.recordRead([read], clock.now())).toBe(1);
    await receive({ canary: true });
    clock.advance(hours);
    const urgent = await receive({ urgent: true });
    await receive({ form: 'contact' });
    clock.advance(hours);
    await receive();
    const anHourAgo = new Date(clock.now().getTime() - hours);
    const until = { help: anHourAgo, contact: anHourAgo };
    const help = { form: 'help', open: 3, urgentUntaken: 1, oldestReceivedAt: oldest };
    expect(await store.summariseUnseen(until, clock.now())).toEqual([
      { form: 'contact', open: 1, urgentUntaken: 0, oldestReceivedAt: anHourAgo },
      help,
    ]);
    expect(await store.summariseUnseen({ help: anHourAgo }, clock.now())).toEqual([help]);
    expect(await store.summariseUnseen({ help: new Date(oldest.getTime() - 1) }, clock.now())).toEqual([]);
    await store.recordStep(urgent, 'taken', 'AB', clock.now());
    expect(await store.summariseUnseen({ help: anHourAgo }, clock.now())).toMatchObject([
      { open: 2, urgentUntaken: 0 },
    ]);
    await store.undoStep(urgent, 'taken', clock.now());
    expect(await store.summariseUnseen({ help: anHourAgo }, clock.now())).toEqual([help]);
  });

  test('what came in by a clock that was far ahead is late at once, and hidden from nobody', async () => {
    const opened = await kind.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const now = new Date();
    const later = new Date(now.getTime() + 300 * 24 * hours);
    const reference = await storeSubmission(store, { receivedAt: later, urgent: true });
    const inAnHour = new Date(now.getTime() + hours + 60_000);
    expect(referencesOf(await claimReminders(store, inAnHour))).toEqual([reference]);
    expect(referencesOf(await claimEscalations(store, inAnHour))).toEqual([reference]);
    const hourAgo = new Date(now.getTime() - hours);
    expect(await store.summariseUnseen({ help: hourAgo }, now)).toMatchObject([{ open: 1 }]);
  });
});
