import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../../test/support/each-store.ts';
import { createClock, storeSubmission } from '../../../../test/support/stored-submissions.ts';
import type { Loss } from './archive.ts';
import { claimMail, parkMail } from './mail-jobs.ts';

const minute = 60_000;

describe.each(eachStore())('what is erased unseen, on %s', (_name, { open, reopen }) => {
  async function prepare() {
    const opened = await open();
    onTestFinished(opened.close);
    const clock = createClock('2026-03-02T00:00:00Z');
    const keep = (changes = {}) => storeSubmission(opened.store, { receivedAt: clock.now(), ...changes });
    return { opened, store: opened.store, clock, keep };
  }

  test('is counted by day and form, once, and is named until somebody has confirmed it', async () => {
    const { opened, store, clock, keep } = await prepare();
    const references = [await keep(), await keep({ form: 'contact' }), await keep()];
    expect(await store.eraseUnseen(references, clock.now())).toBe(3);
    expect(await store.eraseUnseen(references, clock.now())).toBe(0);
    const day = '2026-03-02';
    const losses: Loss[] = [
      { day, form: 'contact', count: 1, total: 1 },
      { day, form: 'help', count: 2, total: 2 },
    ];
    expect(await store.listLosses()).toEqual(losses);

    const later = await keep();
    expect(await store.eraseUnseen([later], clock.now())).toBe(1);
    // Two people who confirm the same ones confirm nothing that neither of them has read of.
    await store.confirmLosses(losses);
    await store.confirmLosses(losses);
    await opened.close();
    const again = await reopen(opened);
    onTestFinished(() => again.close());
    expect(await again.listLosses()).toEqual([{ day, form: 'help', count: 1, total: 3 }]);
    await again.confirmLosses(await again.listLosses());
    await again.confirmLosses([]);
    expect(await again.listLosses()).toEqual([]);
  });

  test('is not what somebody has seen meanwhile, nor what a server is mailing', async () => {
    const { store, clock, keep } = await prepare();
    const [taken, mailing, unseen] = [await keep(), await keep(), await keep()];
    await store.recordStep(taken, 'taken', 'AB', clock.now());
    const claims = await claimMail(store, clock.now(), 2, 10 * minute, 'new');
    expect(claims.map(({ submission }) => submission.reference)).toEqual([taken, mailing]);
    expect(await store.eraseUnseen([taken, mailing, unseen], clock.now())).toBe(1);
    expect(await store.findSubmission(taken)).not.toBeNull();
    expect(await store.findSubmission(mailing)).not.toBeNull();
    expect(await store.listLosses()).toMatchObject([{ count: 1 }]);
  });

  test('is counted in no figure, and goes along to another database', async () => {
    const { store, clock, keep } = await prepare();
    await store.eraseUnseen([await keep()], clock.now());
    const losses = await store.listLosses();
    const { received, ...figures } = await store.readFigures('2026-03-01', '2026-03-31');
    expect(received).toHaveLength(1);
    expect(Object.values(figures).flat()).toMatchObject([{ hour: 13 }]);
    const other = await open();
    onTestFinished(other.close);
    const counts = await store.readCounts();
    await other.store.mergeCounts(counts);
    await other.store.mergeCounts(counts);
    expect(await other.store.listLosses()).toEqual(losses);
    await other.store.confirmLosses(losses);
    await store.mergeCounts(await other.store.readCounts());
    expect(await store.listLosses()).toEqual([]);
  });

  test('is what came in until then, however it was mailed; the seen ones by their last step', async () => {
    const { store, clock, keep } = await prepare();
    const [accepted, parked, waiting] = [await keep(), await keep(), await keep()];
    const [taken, read] = [await keep(), await keep()];
    await keep({ canary: true });
    const [first, second] = await claimMail(store, clock.now(), 2, minute, 'new');
    if (first && second) {
      await store.finishDelivery(first, clock.now());
      await parkMail(store, second, clock.now(), 'SMTP 550 at RCPT');
    }
    clock.advance(minute);
    await store.recordStep(taken, 'taken', 'AB', clock.now());
    expect(await store.recordRead([read], clock.now())).toBe(1);
    const until = clock.now();
    clock.advance(minute);
    await store.recordStep(taken, 'answered', 'AB', clock.now());
    await keep();
    const list = (rule: 'seen' | 'unseen', limit = 10) =>
      store.listExpired({ rule, until, untouchedSince: until }, limit);
    expect((await list('unseen')).toSorted()).toEqual([accepted, parked, waiting].toSorted());
    expect(await list('seen')).toEqual([read]);
    expect(await list('unseen', 2)).toHaveLength(2);
  });
});
