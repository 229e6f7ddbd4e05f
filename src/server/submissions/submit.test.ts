import { expect, onTestFinished, test, vi } from 'vitest';
import { sampleEntries, shippedContent, withAnswer } from '../../../test/support/forms.ts';
import { prepareSubmit } from '../../../test/support/submit.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { mintToken, testSecret } from '../../../test/support/tokens.ts';
import { createAltcha } from '../bot-check/altcha.ts';
import type { BotCheck } from '../bot-check/bot-check.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { type ClientQuota, unlimitedQuota } from './quota.ts';
import { createOpen, createSeal, generateKeyPair, type Seal } from './seal.ts';
import { createSubmit } from './submit.ts';

const form = shippedContent.forms.help;
const entries = sampleEntries.help;
const quota: ClientQuota = unlimitedQuota;

test('a checked form is stored, and acknowledged with its reference and time', async () => {
  const { submitForm, onStored, countStored } = await prepareSubmit();
  const outcome = await submitForm(form, entries, await mintToken(), quota);
  expect(outcome).toMatchObject({ ok: true, receipt: { receivedAt: '2026-03-01T00:00:00.000Z' } });
  expect(onStored).toHaveBeenCalledTimes(1);
  expect(countStored()).toBe(1);
});

test('the same token with the same answers gets the first receipt again, in any order of the answers', async () => {
  const { submitForm, onStored, countStored } = await prepareSubmit();
  const token = await mintToken();
  const first = await submitForm(form, entries, token, quota);
  expect(await submitForm(form, entries, token, quota)).toEqual(first);
  expect(await submitForm(form, entries.toReversed(), token, quota)).toEqual(first);
  expect(onStored).toHaveBeenCalledTimes(1);
  expect(countStored()).toBe(1);
});

test('the same token with the same answers gets the first receipt also after it expired, or the form was reworded', async () => {
  let late = false;
  const altcha = createAltcha(testSecret);
  const expiring: BotCheck = {
    ...altcha,
    verify: async (token) => (late ? { ok: false, reason: 'expired' } : altcha.verify(token)),
  };
  const { submitForm } = await prepareSubmit(expiring);
  const token = await mintToken();
  const first = await submitForm(form, entries, token, quota);
  const reworded = {
    ...form,
    hash: 'new',
    definition: form.definition.filter(({ key }) => key !== 'Message'),
  };
  expect(await submitForm(reworded, entries, token, quota)).toEqual(first);
  late = true;
  expect(await submitForm(form, entries, token, quota)).toEqual(first);
});

test('the same token with other answers is refused', async () => {
  const { submitForm, countStored } = await prepareSubmit();
  const token = await mintToken();
  await submitForm(form, entries, token, quota);
  const other = withAnswer(entries, 'Message', 'Something else');
  expect(await submitForm(form, other, token, quota)).toMatchObject({ ok: false, code: 'BOT_CHECK_FAILED' });
  expect(countStored()).toBe(1);
});

test('fifty parallel sends of one form make one submission and one receipt', async () => {
  const { submitForm, countStored } = await prepareSubmit();
  const token = await mintToken();
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, () => submitForm(form, entries, token, quota)),
  );
  expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
  expect(outcomes[0]).toMatchObject({ ok: true });
  expect(countStored()).toBe(1);
});

test('a form that is sent again counts once', async () => {
  const { submitForm } = await prepareSubmit();
  const counted = { ...quota, countStored: vi.fn() };
  const token = await mintToken();
  for (let n = 0; n < 5; n++) await submitForm(form, entries, token, counted);
  expect(counted.countStored).toHaveBeenCalledTimes(1);
});

test('the same words on the other form are another request, which the spent token does not cover', async () => {
  const { submitForm, countStored } = await prepareSubmit();
  const token = await mintToken();
  const contact = { ...shippedContent.forms.contact, definition: form.definition };
  await submitForm(form, entries, token, quota);
  expect(await submitForm(contact, entries, token, quota)).toMatchObject({
    ok: false,
    code: 'BOT_CHECK_FAILED',
  });
  expect(countStored()).toBe(1);
});

test.each<[string, { key: string; value: unknown }[], string]>([
  [
    'a required answer is missing',
    entries.filter(({ key }) => key !== 'FirstName'),
    'First name is required',
  ],
  ['nobody asked for it', [...entries, { key: 'Age', value: '1' }], 'does not ask'],
  ['it is of the wrong type', withAnswer(entries, 'Subject', true), 'must be text'],
  ['a choice is not offered', withAnswer(entries, 'SafeContact', ['Pigeon']), 'not offered'],
  ['it is too long', withAnswer(entries, 'Subject', 'x'.repeat(501)), 'longer than'],
])('nothing is stored when %s', async (_why, bad, message) => {
  const { submitForm, countStored } = await prepareSubmit();
  const outcome = await submitForm(form, bad, await mintToken(), quota);
  expect(outcome).toMatchObject({
    ok: false,
    code: 'BAD_ANSWERS',
    message: expect.stringContaining(message),
  });
  expect(countStored()).toBe(0);
});

test('an answer that was refused does not spend the token', async () => {
  const { submitForm } = await prepareSubmit();
  const token = await mintToken();
  await submitForm(form, withAnswer(entries, 'FirstName', ''), token, quota);
  expect(await submitForm(form, entries, token, quota)).toMatchObject({ ok: true });
});

test('a store that fails means try again, and the failure is reported', async () => {
  const onUnavailable = vi.fn();
  const { store } = await prepareSubmit();
  const failing = { ...store, add: () => Promise.reject(new StoreUnavailable('disk full')) };
  const submitForm = createSubmit({
    store: failing,
    botCheck: createAltcha(testSecret),
    now: () => new Date(),
    onUnavailable,
  });
  expect(await submitForm(form, entries, await mintToken(), quota)).toMatchObject({
    ok: false,
    code: 'UNAVAILABLE',
  });
  expect(onUnavailable).toHaveBeenCalledTimes(1);
});

test('no hash in the database can be tested against guesses at the answers', async () => {
  const { submitForm, store } = await prepareSubmit();
  const seen: string[] = [];
  const add = store.add.bind(store);
  store.add = (submission) => {
    seen.push(submission.answersHash);
    return add(submission);
  };
  await submitForm(form, entries, await mintToken(), quota);
  await submitForm(form, entries, await mintToken(), quota);
  expect(seen[0]).not.toBe(seen[1]);
});

async function countSent(sent: typeof form, seal?: Seal) {
  const { store, submitForm } = await prepareSubmit(createAltcha(testSecret), seal);
  const outcome = await submitForm(sent, entries, await mintToken(), quota, { tag: 'sm', form: sent });
  const { received, choices, languages } = await store.readFigures('2026-03-01', '2026-03-01');
  return {
    received,
    languages,
    choices: choices.map(({ field, choice, count }) => `${field}: ${choice} ${count}`),
    stored: outcome.ok ? await store.findSubmission(outcome.receipt.reference) : null,
  };
}
const chosen = [
  'ForSomeoneElse: true 1',
  'SafeContact: Email 1',
  'SupportNeeded: Counselling 1',
  'SupportNeeded: Housing 1',
];

test('choices are counted at the questions that the content marks, and no written answer is', async () => {
  expect((await countSent(form)).choices).toEqual(chosen);
  const fewer = { ...form, counted: ['ForSomeoneElse', 'Message'] };
  expect((await countSent(fewer)).choices).toEqual(['ForSomeoneElse: true 1']);
});

test('of sealed answers only the request is counted, unless the content says so', async () => {
  const seal = createSeal([(await generateKeyPair()).recipient]);
  expect(await countSent(form, seal)).toMatchObject({ received: [{ count: 1 }], choices: [], languages: [] });
  const counted = await countSent({ ...form, countSealed: true }, seal);
  expect(counted.choices).toEqual(chosen);
  expect(counted.languages).toMatchObject([{ language: 'sm', count: 1 }]);
});

test('the language of the page is stored beside answers in the open, and inside the seal', async () => {
  expect(await countSent(form)).toMatchObject({ stored: { language: 'sm' }, languages: [{ count: 1 }] });
  const { recipient, identity } = await generateKeyPair();
  const { stored } = await countSent(form, createSeal([recipient]));
  if (!stored || Array.isArray(stored.answers)) throw new Error('Not sealed');
  expect(stored.language).toBeNull();
  const { about } = await createOpen(identity)(stored.answers.sealed);
  expect(about).toMatchObject({ language: 'sm' });
});

test('each refused token is reported with its reason, and a resent token is not', async () => {
  const reasons: string[] = [];
  const store = await openSqliteStore(temporaryFolder());
  onTestFinished(() => store.close());
  const submitForm = createSubmit({
    store,
    botCheck: createAltcha(testSecret),
    now: () => new Date(),
    onTokenRefused: (reason) => reasons.push(reason),
  });
  const submit = (token: string, answers: readonly { key: string; value: unknown }[] = entries) =>
    submitForm(form, answers, token, quota);
  const token = await mintToken();
  expect(await submit(token)).toMatchObject({ ok: true });
  expect(await submit(token)).toMatchObject({ ok: true });
  expect(reasons).toEqual([]);
  await submit(token, withAnswer(entries, 'Message', 'Other words'));
  await submit('made up');
  await submit(await mintToken({ secret: 'somebody else, who is guessing at it' }));
  await submit(await mintToken({ expiresAt: new Date(Date.now() - 1_000) }));
  await submit(await mintToken({ action: 'login' }));
  expect(reasons).toEqual(['spent', 'malformed', 'forged', 'expired', 'elsewhere']);
});
