import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eachStore } from '../../../test/support/each-store.ts';
import { shippedContent } from '../../../test/support/forms.ts';
import { anySubmission } from '../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { deliveryBounds } from './contract/counts.ts';
import { StoreUnavailable } from './contract/errors.ts';
import { claimMail } from './contract/mail-jobs.ts';
import type { Store } from './contract/store.ts';
import type { NewSubmission } from './contract/submission.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';

/** Half past midday in Auckland, in summer. */
const noon = new Date('2026-02-28T23:30:00Z');
const ever = ['0000-01-01', '9999-12-31'] as const;

const submission = (changes: Partial<NewSubmission> = {}) =>
  anySubmission({ form: shippedContent.forms.help, receivedAt: noon, ...changes });

const chose = (...choices: string[]) => choices.map((choice) => ({ field: 'SupportNeeded', choice }));
const total = async (store: Store) =>
  (await store.readFigures(...ever)).received.reduce((sum, { count }) => sum + count, 0);

/** Sends what is due, `afterMs` after noon. */
async function deliver(store: Store, afterMs = 0): Promise<void> {
  const at = new Date(noon.getTime() + afterMs);
  for (const claim of await claimMail(store, at, 100, 60_000, 'new'))
    expect(await store.finishDelivery(claim, at)).toBe(true);
}

describe.each(eachStore())('%s', (_name, { open, reopen }) => {
  async function prepare() {
    const opened = await open();
    onTestFinished(() => opened.close());
    return opened;
  }

  test('counts each request by the day and the hour in New Zealand, and each choice and the language by themselves', async () => {
    const { store } = await prepare();
    await store.add(submission({ chosen: chose('Housing', 'Counselling') }));
    await store.add(submission({ chosen: chose('Housing'), countedLanguage: 'sm' }));
    await store.add(submission({ form: shippedContent.forms.contact }));
    // The next day there, and the next month.
    await store.add(submission({ receivedAt: new Date('2026-03-01T11:00:00Z'), chosen: chose('Housing') }));
    expect(await store.readFigures(...ever)).toEqual({
      received: [
        { day: '2026-03-01', form: 'contact', count: 1 },
        { day: '2026-03-01', form: 'help', count: 2 },
        { day: '2026-03-02', form: 'help', count: 1 },
      ],
      choices: [
        { month: '2026-03', form: 'help', field: 'SupportNeeded', choice: 'Counselling', count: 1 },
        { month: '2026-03', form: 'help', field: 'SupportNeeded', choice: 'Housing', count: 3 },
      ],
      languages: [{ day: '2026-03-01', form: 'help', language: 'sm', count: 1 }],
      hours: [
        { month: '2026-03', form: 'contact', hour: 12, count: 1 },
        { month: '2026-03', form: 'help', hour: 0, count: 1 },
        { month: '2026-03', form: 'help', hour: 12, count: 2 },
      ],
      delivered: [],
      answered: [],
    });
  });

  test('returns the days that were asked for, both included', async () => {
    const { store } = await prepare();
    for (const day of ['2026-03-30', '2026-03-31', '2026-04-01', '2026-04-02'])
      await store.add(submission({ receivedAt: new Date(`${day}T00:00:00Z`), chosen: chose('Housing') }));
    const figures = await store.readFigures('2026-03-31', '2026-04-01');
    expect(figures.received.map(({ day }) => day)).toEqual(['2026-03-31', '2026-04-01']);
    expect(figures.choices).toMatchObject([
      { month: '2026-03', count: 1 },
      { month: '2026-04', count: 1 },
    ]);
    // A month of hours is not taken apart.
    expect(figures.hours).toMatchObject([
      { month: '2026-03', count: 2 },
      { month: '2026-04', count: 2 },
    ]);
  });

  test('counts a form that is sent again once, also at the same time', async () => {
    const { store } = await prepare();
    const one = submission({ chosen: chose('Housing') });
    await Promise.all([store.add(one), store.add(one), store.add({ ...one, answersHash: 'other' })]);
    await store.add(one);
    const { received, choices, hours } = await store.readFigures(...ever);
    expect([received, choices, hours]).toMatchObject([[{ count: 1 }], [{ count: 1 }], [{ count: 1 }]]);
  });

  test('still counts requests that were erased', async () => {
    const { store } = await prepare();
    const erased = await store.add(submission({ chosen: chose('Housing') }));
    const reference = erased.added ? erased.receipt.reference : '';
    await deliver(store, 1_000);
    const before = await store.readFigures(...ever);
    await store.eraseOne(reference, new Date(noon.getTime() + 60_000));
    await store.scrub();
    expect(await store.countSubmissions({})).toMatchObject({ total: 0 });
    expect(await store.readFigures(...ever)).toEqual(before);
  });

  test('counts how long each delivery took, by the day it arrived, and once however often it is sent', async () => {
    const { store } = await prepare();
    const reference = async () => {
      const added = await store.add(submission());
      return added.added ? added.receipt.reference : '';
    };
    const first = await reference();
    await deliver(store, 20_000);
    await reference();
    await deliver(store, 40_000);
    await reference();
    // After midnight there.
    const later = 12 * 3_600_000;
    await deliver(store, later);
    const delivered = [
      { day: '2026-03-01', form: 'help', within: 60, count: 2, slowestSeconds: 40 },
      { day: '2026-03-02', form: 'help', within: 86_400, count: 1, slowestSeconds: later / 1000 },
    ];
    expect((await store.readFigures(...ever)).delivered).toEqual(delivered);
    await store.retryDeliveries({ reference: first }, noon);
    await deliver(store, 60_000);
    expect((await store.readFigures(...ever)).delivered).toEqual(delivered);
  });

  test('counts a delivery that took longer than a day, and one that a clock made end before it began', async () => {
    const { store } = await prepare();
    await store.add(submission({ receivedAt: new Date(noon.getTime() - 90_000_000) }));
    await deliver(store);
    await store.add(submission({ receivedAt: new Date(noon.getTime() + 5_000), heldUntil: noon }));
    for (const claim of await claimMail(store, noon, 10, 60_000, 'held'))
      await store.finishDelivery(claim, noon);
    expect((await store.readFigures(...ever)).delivered).toMatchObject([
      { within: 60, count: 1, slowestSeconds: 0 },
      { within: deliveryBounds.at(-1), count: 1, slowestSeconds: 90_000 },
    ]);
  });

  test('counts neither the canary nor a trial write', async () => {
    const { store } = await prepare();
    await store.tryWrite();
    await store.add(submission({ canary: true, chosen: chose('Housing') }));
    await deliver(store);
    const { received, choices, delivered } = await store.readFigures(...ever);
    expect([received, choices, delivered]).toEqual([[], [], []]);
    await store.eraseCanaries('all');
    expect(await store.readCounts()).toEqual([]);
  });

  test('a choice that the database cannot store does not refuse the request', async () => {
    const { store } = await prepare();
    await store.add(submission({ chosen: chose('a\0b', '\ud800', 'Housing') }));
    expect((await store.readFigures(...ever)).choices.map(({ choice }) => choice)).toEqual(['Housing']);
  });

  test('has its counts when it is opened again', async () => {
    const opened = await open();
    await opened.store.add(submission());
    await opened.close();
    const again = await reopen(opened);
    onTestFinished(() => again.close());
    expect(await total(again)).toBe(1);
  });

  test('a hundred at a time, through two servers, are a hundred', async () => {
    const opened = await prepare();
    const other = await reopen(opened);
    onTestFinished(() => other.close());
    const both = [opened.store, other];
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        both[n % 2]?.add(submission({ chosen: chose(...['Housing', 'Counselling'].slice(n % 3)) })),
      ),
    );
    expect(await total(other)).toBe(100);
    expect((await other.readFigures(...ever)).choices.map(({ count }) => count)).toEqual([67, 34]);
  });

  test('has counts once that were merged twice', async () => {
    const [from, to] = [await prepare(), await prepare()];
    const addAndErase = async (changes: Partial<NewSubmission> = {}) => {
      const added = await from.store.add(submission(changes));
      await deliver(from.store, 5_000);
      await from.store.eraseSubmissions([added.added ? added.receipt.reference : '']);
    };
    await addAndErase({ chosen: chose('Housing') });
    await to.store.add(submission());
    await to.store.mergeCounts(await from.store.readCounts());
    await addAndErase();
    await to.store.mergeCounts(await from.store.readCounts());
    // And twice in one go, as a backup has them that was made while they moved.
    const rows = await from.store.readCounts();
    await to.store.mergeCounts([...rows, ...rows]);
    const { received, delivered, choices } = await to.store.readFigures(...ever);
    expect([received, delivered, choices]).toMatchObject([[{ count: 3 }], [{ count: 2 }], [{ count: 1 }]]);
  });
});

test('a request that could not be stored is counted once a resend is stored, and not before', async () => {
  const folder = temporaryFolder();
  const store = await openSqliteStore(folder);
  onTestFinished(() => store.close());
  const one = submission({ chosen: chose('Housing') });
  using other = new DatabaseSync(`${folder}/awhina.sqlite`);
  other.exec('BEGIN IMMEDIATE');
  await expect(store.add(one)).rejects.toThrow(StoreUnavailable);
  other.exec('ROLLBACK');
  expect(await total(store)).toBe(0);
  await store.add(one);
  expect(await total(store)).toBe(1);
});

test.each(eachStore())('%s that cannot add up what it counts erases nothing', async (_name, { open }) => {
  const { store, environment, dataDir, close } = await open();
  onTestFinished(close);
  const added = await store.add(submission());
  const reference = added.added ? added.receipt.reference : '';
  const spoil = 'ALTER TABLE counts RENAME TO lost';
  if (environment.DATABASE_URL) {
    const client = new pg.Client(environment.DATABASE_URL);
    await client.connect();
    await client.query(spoil);
    await client.end();
  } else {
    using db = new DatabaseSync(`${dataDir}/awhina.sqlite`);
    db.exec(spoil);
  }
  await expect(store.eraseOne(reference, noon)).rejects.toThrow(StoreUnavailable);
  await expect(store.eraseSubmissions([reference])).rejects.toThrow(StoreUnavailable);
  expect(await store.countSubmissions({})).toMatchObject({ total: 1 });
});
