import { expect, test } from 'vitest';
import { prepareApp } from '../../../test/support/app.ts';
import { createClock, storeSubmission } from '../../../test/support/stored-submissions.ts';
import { testSecret } from '../../../test/support/tokens.ts';
import type { StaffView } from '../../model/staff-page.ts';
import { mailboxSign } from '../store/contract/times.ts';
import { createStaffKeys } from './staff-key.ts';

/** What a person asked for after sending, as staff record it on the page behind the link. */

const keys = createStaffKeys(testSecret);
const hourMs = 3_600_000;

async function prepare() {
  const clock = createClock();
  const { app, store, logged } = await prepareApp({ now: clock.now });
  const reference = await storeSubmission(store, { receivedAt: clock.now() });
  const path = keys.pathFor(reference);
  const press = (fields: Record<string, string>, url = path, site = 'same-origin') =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site },
      payload: new URLSearchParams(fields).toString(),
    });
  const open = async (url = path): Promise<StaffView> =>
    JSON.parse(/<body>(.*)<\/body>/s.exec((await app.inject({ url })).body)?.[1] ?? '');
  /** Presses and follows the redirect, as a browser does. */
  const pressed = async (fields: Record<string, string>) => {
    const { statusCode, headers } = await press(fields);
    expect(statusCode).toBe(303);
    return open(String(headers.location));
  };
  const find = async () => store.findSubmission(reference);
  const mailJob = () => store.findJob(`changed:${reference}`);
  return { store, clock, reference, path, press, pressed, open, find, mailJob, logged };
}

test.each(['no-contact', 'withdrawn'] as const)(
  '%s is recorded once, mailed, shown without a name, and can be undone',
  async (wish) => {
    const { clock, pressed, find, mailJob } = await prepare();
    const at = clock.now();
    const field = wish === 'withdrawn' ? 'withdrawn' : 'noContact';
    expect(await pressed({ step: wish, by: 'AB' })).toMatchObject({
      message: wish,
      [field]: { since: at.getTime() },
      typed: 'AB',
    });
    expect(await mailJob()).toMatchObject({ dueAt: at });
    // Pressed twice, and a minute later by a colleague.
    expect(await pressed({ step: wish, by: 'AB' })).toMatchObject({ message: wish });
    clock.advance(60_000);
    expect(await pressed({ step: wish, by: 'CD' })).toMatchObject({ message: 'late' });
    expect(await find()).toMatchObject({
      followUp: { [`${field}By`]: 'AB', [`${field}At`]: at },
      changes: [{ said: wish, by: 'AB', at }],
    });

    const undo = { undo: wish, since: String(at.getTime()) };
    expect(await pressed(undo)).toMatchObject({ message: 'undone', [field]: null });
    clock.advance(60_000);
    await pressed({ step: wish, by: 'CD' });
    // The undo that comes again, as from a restored tab, does not undo what a colleague did since.
    expect(await pressed(undo)).toMatchObject({ message: 'changed' });
    expect(await find()).toMatchObject({ followUp: { [`${field}By`]: 'CD' } });
    expect((await find())?.changes).toHaveLength(3);
  },
);

test('who could not reach them has not answered: it is recorded and mailed, shows that it was seen, and is open', async () => {
  const { store, clock, reference, pressed, find, mailJob } = await prepare();
  expect(await pressed({ step: 'unreached', by: 'AB' })).toMatchObject({ message: 'unreached', taken: null });
  expect(await pressed({ step: 'unreached', by: 'AB' })).toMatchObject({ message: 'unreached' });
  const at = clock.now();
  expect(await find()).toMatchObject({
    followUp: { takenAt: null, answeredAt: null, seenAt: at },
    changes: [{ said: 'unreached', by: 'AB', at }],
  });
  expect(await mailJob()).not.toBeNull();
  expect((await store.listOpen(9)).map((one) => one.reference)).toEqual([reference]);
});

test('a name that was typed stands in the page that follows, once, within a minute, and in no address or log', async () => {
  const { clock, path, press, open, logged } = await prepare();
  const location = async () => String((await press({ step: 'taken', by: 'Zoebelina' })).headers.location);
  const first = await location();
  expect(first).not.toContain('Zoebelina');
  expect(await open(first)).toMatchObject({ typed: 'Zoebelina' });
  expect(await open(first)).toMatchObject({ typed: '' });
  const late = await location();
  clock.advance(61_000);
  expect(await open(late)).toMatchObject({ typed: '' });
  expect(await open(`${path}?as=__proto__`)).toMatchObject({ typed: '' });
  expect(JSON.stringify(logged)).not.toContain('Zoebelina');
});

test('from another site, without a name, by GET or about what is not there, nothing is recorded', async () => {
  const { path, press, open, find, store, reference } = await prepare();
  for (const step of ['no-contact', 'withdrawn', 'unreached']) {
    expect((await press({ step, by: 'AB' }, path, 'cross-site')).statusCode).toBe(403);
    expect((await press({ step, by: '' })).statusCode).toBe(422);
    await open(`${path}?step=${step}&by=AB`);
  }
  const canary = await storeSubmission(store, { receivedAt: new Date(0), canary: true });
  expect((await press({ step: 'withdrawn', by: 'AB' }, keys.pathFor(canary))).statusCode).toBe(404);
  expect((await find())?.changes).toEqual([]);
  await store.eraseSubmissions([reference]);
  expect((await press({ step: 'unreached', by: 'AB' })).statusCode).toBe(404);
});

test('by the link for others all of it works, and shows of no mailbox that it is read', async () => {
  const { store, press, find, reference } = await prepare();
  const theirs = keys.pathForOthers(reference);
  for (const step of ['unreached', 'withdrawn']) await press({ step, by: 'AB' }, theirs);
  expect((await find())?.changes).toHaveLength(2);
  expect(await store.findTime(mailboxSign('help'))).toBeNull();
  await press({ step: 'no-contact', by: 'AB' });
  expect(await store.findTime(mailboxSign('help'))).not.toBeNull();
});

test('somebody who presses without end fills neither the row nor the mailbox, and the last press can be undone', async () => {
  const { store, reference, clock, press, pressed, find, mailJob } = await prepare();
  for (let count = 0; count < 80; count++) {
    await press({ step: 'withdrawn', by: 'AB' });
    const at = (await find())?.followUp.withdrawnAt;
    if (at) await press({ undo: 'withdrawn', since: String(at.getTime()) });
  }
  expect(await pressed({ step: 'withdrawn', by: 'AB' })).toMatchObject({ message: 'many', withdrawn: null });
  expect(await pressed({ step: 'unreached', by: 'CD' })).toMatchObject({ message: 'many' });
  expect((await find())?.changes?.length).toBeLessThan(160);
  // The next mail waits for a quarter of an hour, however often somebody presses meanwhile.
  const claim = () =>
    store.claimJobs({ kinds: ['changed'], limit: 1, leaseMs: 60_000, longestMs: 24 * hourMs }, clock.now());
  for (const one of await claim()) await store.completeJob(one);
  const change = { by: 'AB', said: 'details' as const, answers: [{ key: 'Note', value: 'Sample' }] };
  for (let count = 0; count < 3; count++) {
    await store.addChange(reference, { ...change, at: clock.now() });
    clock.advance(60_000);
  }
  expect(await claim()).toEqual([]);
  const dueAt = (await mailJob())?.dueAt.getTime() ?? 0;
  expect(dueAt - clock.now().getTime()).toBe(12 * 60_000);
});
