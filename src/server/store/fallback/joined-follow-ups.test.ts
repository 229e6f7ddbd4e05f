import { expect, test } from 'vitest';
import { prepareFallback, referenceOf } from '../../../../test/support/fallback.ts';
import { claimAlerts, claimReminders, reminderKinds } from '../../../../test/support/jobs.ts';
import { anySubmission } from '../../../../test/support/stored-submissions.ts';
import { formNames } from '../../../model/form-field.ts';
import { StoreUnavailable } from '../contract/errors.ts';
import { claimMail } from '../contract/mail-jobs.ts';
import { doubtfulRank } from '../contract/submission-jobs.ts';

const minutes = 60_000;
const late = () => new Date(Date.now() - 90 * minutes);
const reminders = { kinds: reminderKinds(), longestMs: 14 * 60 * minutes };
const ever = ['2000-01-01', '2099-12-31'] as const;

/** One submission in each database; the shared one is away. */
async function prepare() {
  const parts = await prepareFallback();
  const { store, database } = parts;
  await store.check();
  const there = referenceOf(await store.add(anySubmission({ receivedAt: late() })));
  database.mode = 'away';
  const submission = anySubmission({ receivedAt: late(), urgent: true, alert: true });
  const here = referenceOf(await store.add(submission));
  const comeBack = async () => {
    database.mode = 'there';
    await store.check();
  };
  return { ...parts, here, there, comeBack };
}

test('while PostgreSQL is away a step is recorded for what is in the fallback, and refused for the rest', async () => {
  const { store, fallback, here, there, comeBack } = await prepare();
  expect(await store.recordStep(here, 'taken', 'AB', new Date())).toMatchObject({ changed: true });
  expect(await store.recordStep(here, 'taken', 'CD', new Date())).toMatchObject({
    changed: false,
    followUp: { takenBy: 'AB' },
  });
  await expect(store.recordStep(there, 'taken', 'AB', new Date())).rejects.toThrow(StoreUnavailable);
  await expect(store.listOpen(10)).rejects.toThrow(StoreUnavailable);
  expect(await store.summariseOpen()).toMatchObject([{ form: 'contact', open: 1, urgentUntaken: 0 }]);
  await comeBack();
  // Urgent first, out of both.
  expect((await store.listOpen(10)).map(({ reference }) => reference)).toEqual([here, there]);
  expect(await store.summariseOpen()).toMatchObject([{ form: 'contact', open: 2, urgentUntaken: 0 }]);
  await store.transfer();
  expect(await fallback.countAll()).toBe(0);
  expect((await store.findSubmission(here))?.followUp).toMatchObject({ takenBy: 'AB', answeredBy: null });
  expect(await store.recordStep('ZZZZ-9999', 'taken', 'AB', new Date())).toBeNull();
});

test('what a person asked for is recorded in the fallback and mailed from there, or once it is transferred', async () => {
  const { store, here, there, comeBack } = await prepare();
  const which = { kinds: ['changed'], limit: 9, leaseMs: minutes, longestMs: 60 * minutes };
  await expect(store.recordStep(there, 'withdrawn', 'AB', new Date())).rejects.toThrow(StoreUnavailable);
  await store.recordStep(here, 'withdrawn', 'AB', new Date());
  const [claim] = await store.claimJobs(which, new Date());
  expect(claim).toMatchObject({ reference: here, isLocal: true });
  if (claim) expect(await store.completeJob(claim)).toBe(true);
  const answers = [{ key: 'Note', value: 'Sample' }];
  await store.addChange(here, { at: new Date(), by: 'AB', said: 'details', answers });
  const before = await store.findSubmission(here);
  await comeBack();
  await store.transfer();
  const { id: _, ...after } = { ...(await store.findSubmission(here)) };
  expect(after).toMatchObject({ followUp: before?.followUp, changes: before?.changes });
  expect(await store.claimJobs(which, new Date())).toMatchObject([{ reference: here }]);
});

test.each([
  ['here', false],
  ['here', true],
  ['there', false],
  ['there', true],
])(
  'of a request in both databases no wish is lost that was recorded %s first',
  async (first, isSaidLater) => {
    const { store, database, fallback } = await prepareFallback();
    await store.check();
    // PostgreSQL stored it, and its reply was lost.
    database.mode = 'mute';
    const reference = referenceOf(await store.add(anySubmission({ receivedAt: late() })));
    database.mode = 'there';
    await store.check();
    const [one, other] = first === 'here' ? [fallback, store] : [store, fallback];
    const at = new Date();
    const after = (passed: number) => new Date(at.getTime() + passed * minutes);
    for (const wish of ['no-contact', 'withdrawn'] as const) await one.recordStep(reference, wish, 'AB', at);
    await other.recordStep(reference, 'taken', 'CD', after(1));
    if (isSaidLater) {
      await other.recordStep(reference, 'withdrawn', 'CD', after(2));
      await other.undoStep(reference, 'withdrawn', after(3));
    }
    await store.transfer();
    expect(await fallback.countAll()).toBe(0);
    const found = await store.findSubmission(reference);
    const { takenBy, noContactBy, withdrawnBy } = found?.followUp ?? {};
    expect({ takenBy, noContactBy, withdrawnBy }).toEqual({
      ...{ takenBy: 'CD', noContactBy: 'AB' },
      withdrawnBy: isSaidLater ? null : 'AB',
    });
    expect(found?.changes).toHaveLength(isSaidLater ? 4 : 2);
  },
);

test('what nobody has seen is counted out of both databases; while PostgreSQL is away, with what it last told the same caller', async () => {
  const { store, database, comeBack } = await prepare();
  const until = { contact: new Date() };
  const [memory, other] = [{ last: [] }, { last: [] }];
  await expect(store.summariseUnseen(until, new Date())).rejects.toThrow(StoreUnavailable);
  expect(await store.summariseUnseen(until, new Date(), memory)).toMatchObject([
    { form: 'contact', open: 1 },
  ]);
  await comeBack();
  expect(await store.summariseUnseen(until, new Date())).toMatchObject([{ form: 'contact', open: 2 }]);
  expect(await store.summariseUnseen(until, new Date(), memory)).toMatchObject([
    { form: 'contact', open: 2 },
  ]);
  database.mode = 'away';
  await store.add(anySubmission({ receivedAt: late() }));
  for (const _again of [1, 2])
    expect(await store.summariseUnseen(until, new Date(), memory)).toMatchObject([
      { form: 'contact', open: 3 },
    ]);
  expect(await store.summariseUnseen(until, new Date(), other)).toMatchObject([{ form: 'contact', open: 2 }]);
  await expect(store.summariseUnseen(until, new Date())).rejects.toThrow(StoreUnavailable);
});

test('an answer that was recorded and undone in the fallback is counted once, after the transfer', async () => {
  const { store, here, comeBack } = await prepare();
  await store.recordStep(here, 'answered', 'AB', new Date());
  await store.undoStep(here, 'answered', new Date());
  await comeBack();
  expect((await store.readFigures(...ever)).answered).toEqual([]);
  await store.transfer();
  expect((await store.readFigures(...ever)).answered).toMatchObject([{ form: 'contact', count: 1 }]);
  expect(await store.recordStep(here, 'answered', 'CD', new Date())).toMatchObject({ changed: true });
  expect((await store.readFigures(...ever)).answered.map(({ count }) => count)).toEqual([1]);
});

test('a reminder and an alert that were leased in the fallback are settled before the transfer, and not sent again', async () => {
  const { store, fallback, here, comeBack } = await prepare();
  const reminders = await claimReminders(store, new Date());
  const alerts = await claimAlerts(store, new Date());
  expect([reminders.length, alerts.length]).toEqual([1, 1]);
  await comeBack();
  // It stays until they are settled.
  await store.transfer();
  expect(await fallback.countAll()).toBe(1);
  expect(await claimReminders(store, new Date())).toEqual([]);
  expect(await claimAlerts(store, new Date())).toEqual([]);
  for (const alert of alerts) expect(await store.completeJob(alert)).toBe(true);
  const dueAt = new Date(Date.now() + 120 * minutes);
  for (const one of reminders) expect(await store.postponeJob(one, { dueAt })).toBe(true);
  await store.transfer();
  expect(await fallback.countAll()).toBe(0);
  const later = new Date(Date.now() + 10 * minutes);
  expect(await claimAlerts(store, later)).toEqual([]);
  expect(await claimReminders(store, later)).toEqual([]);
  const [next] = await claimReminders(store, new Date(Date.now() + 121 * minutes));
  expect(next).toMatchObject({ reference: here, attempts: 2 });
});

test('ranks and what was named come through a transfer, and doubtful ones are last out of both databases', async () => {
  const { store, fallback, here, there, database, comeBack } = await prepare();
  await comeBack();
  const receivedAt = late();
  const doubted = referenceOf(
    await store.add(anySubmission({ receivedAt, urgent: true, verdict: { kind: 'many' } })),
  );
  database.mode = 'away';
  const urgent = { receivedAt: new Date(receivedAt.getTime() - minutes), urgent: true, rank: 3 };
  const third = referenceOf(await store.add(anySubmission(urgent)));
  for (const claim of await claimMail(store, new Date(), 9, minutes, 'new'))
    await store.finishDelivery(claim, new Date());
  expect(await store.countJobs(reminders, new Date())).toBe(2);
  await comeBack();
  const order = [here, third, there, doubted];
  expect((await store.outlineOpen(9, formNames)).map(({ reference }) => reference)).toEqual(order);
  expect((await store.listOpen(9)).map(({ reference }) => reference)).toEqual(order);
  expect(await store.countJobs(reminders, new Date())).toBe(3);
  const namedAt = new Date();
  await store.recordNamed([third, there], namedAt);
  await store.transfer();
  expect(await fallback.countAll()).toBe(0);
  const times = (await store.outlineOpen(9, formNames)).map((one) => one.namedAt);
  expect(times).toEqual([null, namedAt, namedAt, null]);
  const claims = await claimReminders(store, new Date());
  expect(claims.map(({ rank, reference }) => [reference, rank])).toEqual([
    [here, 1],
    [third, 3],
    [doubted, doubtfulRank + 1],
  ]);
});

test('a step that is recorded during a transfer is not lost, and an older state overwrites no later one', async () => {
  const { store, fallback, here, comeBack } = await prepare();
  await comeBack();
  const at = new Date();
  const until = new Date(at.getTime() + minutes);
  const rows = await fallback.claimForTransfer(at, 10, until);
  // The row was read; it is not in PostgreSQL yet.
  expect(await store.recordStep(here, 'taken', 'AB', at)).toMatchObject({ changed: true });
  await store.importRows(rows);
  await fallback.dropTransferred(rows, until, at);
  expect(await fallback.countAll()).toBe(1);
  const [later] = await fallback.claimForTransfer(until, 10, new Date(until.getTime() + minutes));
  if (!later) throw new Error('It is gone');
  await store.importRows([later]);
  const end = new Date(until.getTime() + minutes);
  // A worker may have had it since its lease ended.
  await fallback.dropTransferred([later], end, end);
  expect(await fallback.countAll()).toBe(1);
  await fallback.dropTransferred([later], end, until);
  expect(await fallback.countAll()).toBe(0);
  expect((await store.findSubmission(here))?.followUp.takenBy).toBe('AB');

  await store.undoStep(here, 'taken', new Date(at.getTime() + 1));
  await store.importRows([later]);
  await store.importRows(rows);
  expect((await store.findSubmission(here))?.followUp.takenBy).toBeNull();
});

test('while PostgreSQL is away the fallback has the sign that somebody reads a mailbox, and the later one of both counts', async () => {
  const { store, database, comeBack } = await prepare();
  const before = new Date();
  await comeBack();
  await store.recordTime('mailbox help', before);
  database.mode = 'away';
  await store.add(anySubmission());
  const after = new Date(before.getTime() + minutes);
  await store.recordTime('mailbox help', after);
  await expect(store.findTime('mailbox help')).rejects.toThrow(StoreUnavailable);
  await comeBack();
  expect(await store.findTime('mailbox help')).toEqual(after);
  expect(await store.findTime('mailbox contact')).toBeNull();
});
