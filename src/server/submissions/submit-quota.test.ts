import { expect, test, vi } from 'vitest';
import { sampleEntries, shippedContent, withAnswer } from '../../../test/support/forms.ts';
import { claimAlerts } from '../../../test/support/jobs.ts';
import { prepareSubmit } from '../../../test/support/submit.ts';
import { mintToken, testSecret } from '../../../test/support/tokens.ts';
import { createAltcha } from '../bot-check/altcha.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { claimMail } from '../store/contract/mail-jobs.ts';
import { type ClientQuota, unlimitedQuota } from './quota.ts';
import { createSubmit } from './submit.ts';

const form = shippedContent.forms.help;
const entries = sampleEntries.help;
const quota: ClientQuota = unlimitedQuota;

test('refused forms are counted and in the end told to wait; good forms are stored all the same, and flagged', async () => {
  const { submitForm, store } = await prepareSubmit();
  const crowded = { ...quota, countJunk: () => 400, hasSentMany: () => true, countStored: vi.fn() };
  expect(await submitForm(form, entries, 'made up', crowded)).toMatchObject({
    ok: false,
    code: 'RATE_LIMITED',
    retryAfterSeconds: 400,
  });
  const kept = await submitForm(form, entries, await mintToken(), crowded);
  if (!kept.ok) throw new Error(kept.message);
  const stored = await store.findSubmission(kept.receipt.reference);
  expect(stored?.verdict).toEqual({ kind: 'many' });
  expect(crowded.countStored).toHaveBeenCalledTimes(1);
});

test('beyond the quota a form without a script keeps its doubts, and gets that of being one of many', async () => {
  const { submitForm, store } = await prepareSubmit();
  const plain = { identities: ['one', 'before'] as const, doubts: ['old' as const] };
  const kept = await submitForm(form, entries, plain, { ...quota, countNoScript: () => 'held' });
  if (!kept.ok) throw new Error(kept.message);
  const stored = await store.findSubmission(kept.receipt.reference);
  expect(stored?.verdict).toEqual({ kind: 'no-script', doubts: ['old', 'many'] });
});

test('with the disk almost full, forms without a script beyond what people send are refused, and all others are stored', async () => {
  const { store } = await prepareSubmit();
  const submitForm = createSubmit({
    store,
    botCheck: createAltcha(testSecret),
    now: () => new Date(),
    dataDir: '/data',
    findSpaceProblem: async (folder) => `the disk of ${folder} is almost full`,
  });
  const plain = (name: string) => ({ identities: [name, 'before'] as const, doubts: [] });
  const flood: ClientQuota = { ...quota, countNoScript: () => 'held' };
  expect(await submitForm(form, entries, plain('one'), flood)).toMatchObject({ code: 'UNAVAILABLE' });
  expect(await submitForm(form, entries, await mintToken(), flood)).toMatchObject({ ok: true });
  expect(await submitForm(form, entries, plain('two'), quota)).toMatchObject({ ok: true });
});

test('mail flagged as many is sent after all other mail', async () => {
  const { submitForm, store } = await prepareSubmit();
  const ranked = (rank: number, many: boolean): ClientQuota => ({
    ...quota,
    hasSentMany: () => many,
    takeRank: () => ({ rank, release: () => {} }),
  });
  const urgent = withAnswer(entries, 'SupportNeeded', ['Feeling unsafe at home']);
  await submitForm(form, urgent, await mintToken(), ranked(1, true));
  await submitForm(form, entries, await mintToken(), ranked(5_000, false));
  const claims = await claimMail(store, new Date(), 10, 60_000, 'new');
  expect(claims.map(({ submission }) => submission.verdict.kind)).toEqual(['clean', 'many']);
});

test('a form that is sent again, or could not be stored, takes no rank', async () => {
  const { submitForm, store } = await prepareSubmit();
  const release = vi.fn();
  const counted = { ...quota, takeRank: vi.fn(() => ({ rank: 1, release })) };
  const token = await mintToken();
  await Promise.all([1, 2, 3].map(() => submitForm(form, entries, token, counted)));
  expect(counted.takeRank.mock.calls.length - release.mock.calls.length).toBe(1);
  const broken = { ...store, add: () => Promise.reject(new StoreUnavailable('away')) };
  const submitToBroken = createSubmit({
    store: broken,
    botCheck: createAltcha(testSecret),
    now: () => new Date(),
  });
  await submitToBroken(form, entries, await mintToken(), counted);
  expect(counted.takeRank.mock.calls.length - release.mock.calls.length).toBe(1);
});

test('the canary is stored as one: not urgent, and neither counted with other forms nor refused because of them', async () => {
  const { submitForm, store, onStored } = await prepareSubmit();
  const crowded = {
    countJunk: vi.fn(() => 400),
    hasSentMany: vi.fn(() => true),
    countStored: vi.fn(),
    countNoScript: vi.fn(() => 'held' as const),
    takeRank: vi.fn(() => ({ rank: 400, release: () => {} })),
    isCanary: () => true,
  };
  const urgent = withAnswer(entries, 'SupportNeeded', ['Feeling unsafe at home']);
  const plain = { identities: ['one', 'before'] as const, doubts: ['trap' as const] };
  for (const proof of [await mintToken(), plain]) {
    const kept = await submitForm(form, urgent, proof, crowded);
    if (!kept.ok) throw new Error(kept.message);
    expect(await store.findSubmission(kept.receipt.reference)).toBeNull();
    expect(await store.findCanary(kept.receipt.reference)).toMatchObject({ urgent: false });
    expect(onStored).toHaveBeenLastCalledWith(kept.receipt, expect.objectContaining({ canary: true }));
  }
  expect(await claimMail(store, new Date(), 10, 60_000, 'held')).toEqual([]);
  expect(await submitForm(form, urgent, 'made up', crowded)).toMatchObject({ code: 'BOT_CHECK_FAILED' });
  const { countJunk, hasSentMany, countStored, countNoScript, takeRank } = crowded;
  for (const count of [countJunk, hasSentMany, countStored, countNoScript, takeRank])
    expect(count).not.toHaveBeenCalled();
});

test('an urgent request has an alert due where ALERT_URL is set; another one and the canary never have', async () => {
  const urgent = withAnswer(entries, 'SupportNeeded', ['Feeling unsafe at home']);
  for (const alerts of [true, false]) {
    const { submitForm, store } = await prepareSubmit(undefined, undefined, alerts);
    await submitForm(form, urgent, await mintToken(), { ...unlimitedQuota, isCanary: () => true });
    await submitForm(form, entries, await mintToken(), unlimitedQuota);
    const sent = await submitForm(form, urgent, await mintToken(), unlimitedQuota);
    const due = await claimAlerts(store, new Date('2026-03-01T00:00:00Z'));
    expect(due.map(({ reference }) => reference)).toEqual(alerts && sent.ok ? [sent.receipt.reference] : []);
  }
});
