import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../../test/support/each-store.ts';
import {
  claimAlerts,
  claimEscalations,
  claimReminders,
  referencesOf,
  reminderKinds,
} from '../../../../test/support/jobs.ts';
import {
  createClock,
  type SubmissionChanges,
  storeSubmission,
} from '../../../../test/support/stored-submissions.ts';
import type { BotVerdict } from '../../../model/bot-verdict.ts';
import { claimMail } from './mail-jobs.ts';
import { doubtfulRank } from './submission-jobs.ts';

const minutes = 60_000;
const hours = 60 * minutes;

describe.each(eachStore())('the jobs of a submission in %s', (_name, kind) => {
  async function prepare() {
    const opened = await kind.open();
    onTestFinished(() => opened.close());
    const { store } = opened;
    const clock = createClock(new Date().toISOString());
    const add = (changes: Partial<SubmissionChanges> = {}) =>
      storeSubmission(store, { receivedAt: clock.now(), urgent: true, alert: true, ...changes });
    /** Who is alerted about, escalated and reminded of now. */
    const findDue = async () => {
      const claims = [
        await claimAlerts(store, clock.now()),
        await claimEscalations(store, clock.now()),
        await claimReminders(store, clock.now()),
        await claimReminders(store, clock.now(), { readers: 'others' }),
      ];
      for (const claim of claims.flat()) await store.releaseJob(claim);
      return claims.map(referencesOf);
    };
    return { store, clock, add, findDue };
  }

  test('an urgent one is alerted about at once, escalated after ten minutes, and reminded of after an hour', async () => {
    const { clock, add, findDue } = await prepare();
    const reference = await add();
    const silent = await add({ alert: false, remindAt: new Date(clock.now().getTime() + 30 * minutes) });
    await add({ urgent: false, alert: false });
    await add({ canary: true });
    expect(await findDue()).toEqual([[reference], [], [], []]);
    clock.advance(10 * minutes - 1);
    expect(await findDue()).toEqual([[reference], [], [], []]);
    clock.advance(1);
    expect(await findDue()).toEqual([[reference], [reference, silent], [], []]);
    clock.advance(20 * minutes);
    expect(await findDue()).toEqual([[reference], [reference, silent], [silent], [silent]]);
    clock.advance(30 * minutes);
    const both = [silent, reference];
    expect(await findDue()).toEqual([[reference], [reference, silent], both, both]);
  });

  test('they wait while somebody has taken or answered it, but for the alert, which ends; they are deleted with it', async () => {
    const { store, clock, add, findDue } = await prepare();
    const [taken, answered, read] = [await add(), await add(), await add()];
    clock.advance(hours);
    const [claimed] = await claimAlerts(store, clock.now(), { limit: 1 });
    expect(claimed?.reference).toBe(taken);
    await store.recordStep(taken, 'taken', 'AB', clock.now());
    // The alert that is being sent is recorded by nobody.
    expect(claimed && (await store.completeJob(claimed))).toBe(false);
    await store.recordStep(answered, 'answered', 'AB', clock.now());
    // Somebody has it, and is not on it.
    await store.recordRead([read], clock.now());
    expect(await findDue()).toEqual([[read], [], [read], [read]]);
    for (const step of ['taken', 'answered'] as const)
      await store.undoStep(step === 'taken' ? taken : answered, step, clock.now());
    const all = [taken, answered, read];
    expect(await findDue()).toEqual([[read], [taken, answered], all, all]);
    for (const reference of all) expect(await store.eraseOne(reference, clock.now())).toBe('erased');
    expect(await findDue()).toEqual([[], [], [], []]);
    expect(await store.findJob(`remind team:${taken}`)).toBeNull();
  });

  test('a mail server that has accepted its mail ends the escalation', async () => {
    const { store, clock, add, findDue } = await prepare();
    await add({ alert: false });
    for (const mail of await claimMail(store, clock.now(), 9, minutes, 'new'))
      expect(await store.finishDelivery(mail, clock.now())).toBe(true);
    clock.advance(30 * minutes);
    expect(await findDue()).toEqual([[], [], [], []]);
  });

  test('an alert is due again with its reminder, also if it is being sent; of what is gone there is none', async () => {
    const { store, clock, add } = await prepare();
    const reference = await add();
    const again = { kind: 'alert again', key: `alert:${reference}`, dueAt: clock.now(), reference };
    const [first] = await claimAlerts(store, clock.now());
    expect(await store.replaceJob(again)).toBe(true);
    expect(first && (await store.completeJob(first))).toBe(false);
    const [second, ...more] = await claimAlerts(store, clock.now());
    expect([second?.kind, second?.attempts, more.length]).toEqual(['alert again', 1, 0]);
    expect(await store.replaceJob({ ...again, reference: 'ZZZZ-9999', key: 'alert:ZZZZ-9999' })).toBe(false);
    expect(await claimAlerts(store, clock.now())).toEqual([]);
  });

  test('clients come in turns, and what the bot check doubts comes last and can be put off together', async () => {
    const { store, clock, add } = await prepare();
    const verdict: BotVerdict = { kind: 'many' };
    const flood = [];
    for (const rank of [1, 2, 3]) flood.push(await add({ rank, verdict }));
    const second = await add({ rank: 2 });
    clock.advance(minutes);
    const [first, doubted] = [await add(), await add({ verdict })];
    await add({ form: 'contact', alert: false });
    clock.advance(hours);
    const alerts = async (limit: number) => referencesOf(await claimAlerts(store, clock.now(), { limit }));
    expect(await alerts(3)).toEqual([first, second, flood[0]]);
    expect(await alerts(9)).toEqual([doubted, flood[1], flood[2]]);

    const which = { kinds: reminderKinds({ forms: ['help'] }), longestMs: 24 * hours };
    expect(await store.countJobs(which, clock.now())).toBe(6);
    const named = await claimReminders(store, clock.now(), { forms: ['help'], limit: 3 });
    expect(referencesOf(named)).toEqual([first, second, flood[0]]);
    expect(named.map(({ rank }) => rank)).toEqual([1, 2, doubtfulRank + 1]);
    expect(await store.countJobs(which, clock.now())).toBe(3);
    const later = new Date(clock.now().getTime() + 2 * hours);
    const person = await add({ receivedAt: new Date(clock.now().getTime() - 2 * hours) });
    await store.deferJobs({ ...which, fromRank: doubtfulRank }, later, clock.now());
    expect(referencesOf(await claimReminders(store, clock.now(), { forms: ['help'] }))).toEqual([person]);
    // What is leased is not put off.
    expect(named[2] && (await store.postponeJob(named[2], { dueAt: clock.now() }))).toBe(true);
    expect(referencesOf(await claimReminders(store, clock.now(), { forms: ['help'] }))).toEqual([flood[0]]);
    expect(await store.countJobs(which, later)).toBe(7);
  });

  test('those that failed are counted, with the last error', async () => {
    const { store, clock, add } = await prepare();
    await add();
    await add();
    const kinds = ['alert', 'alert again'];
    const [one, other] = await claimAlerts(store, clock.now());
    expect(await store.findFailing(kinds)).toEqual({ failing: 0, lastError: null });
    const later = new Date(clock.now().getTime() + minutes);
    if (one) await store.postponeJob(one, { dueAt: later, error: 'HTTP 500' });
    if (other) await store.completeJob(other);
    expect(await store.findFailing(kinds)).toEqual({ failing: 1, lastError: 'HTTP 500' });
    expect(await store.findFailing(['escalate'])).toEqual({ failing: 0, lastError: null });
  });
});
