import { expect, onTestFinished, test } from 'vitest';
import { createDatabase, empty } from '../../../test/support/databases.ts';
import { claimAlerts, claimReminders } from '../../../test/support/jobs.ts';
import { makeOlder } from '../../../test/support/older-schema.ts';
import { claimMail, type DueKind } from './contract/mail-jobs.ts';
import type { Store } from './contract/store.ts';
import { doubtfulRank } from './contract/submission-jobs.ts';
import { openPostgresStore } from './postgres/postgres-store.ts';
import { openSqliteStore } from './sqlite/sqlite-store.ts';

const hour = 3_600_000;
const done = new Date('2026-11-16T19:00:00.000Z');
const after = (hours: number) => new Date(done.getTime() + hours * hour);

/** What a server of version 1.2 had noted by then. */
const rows = `
  INSERT INTO chores VALUES
    ${[
      ...['erase', 'doubt', 'unseen limit 90', 'mailbox help', 'mailbox signs read', 'test mail abc'],
      ...['reminder help', 'unseen help', 'weekly letter contact', 'reminder help, in hand'],
      ...['mail alarm', 'mailbox help silent', 'escalation', 'urgent reminder help'],
    ]
      .map((name) => `('${name}', '${done.toISOString()}')`)
      .join(', ')};
  INSERT INTO notices VALUES (1, '${done.toISOString()}')`;
const canary = (values: string) => `${rows}; UPDATE canary SET ${values}`;

const engines: [string, (rows: string) => Promise<Store>][] = [
  ['SQLite', async (sql) => openSqliteStore((await makeOlder(13, null, sql)).DATA_DIR ?? '')],
  [
    'PostgreSQL',
    async (sql) => {
      const url = await createDatabase(empty);
      await makeOlder(13, url, sql);
      return openPostgresStore(url, () => {});
    },
  ],
];

test.each(engines)(
  '%s: what happened last is known after the upgrade, and nothing is done again at once',
  async (_engine, open) => {
    const store = await open(
      canary(`tried_for = '${done.toISOString()}', succeeded_at = '${done.toISOString()}'`),
    );
    onTestFinished(() => store.close());
    const times = [
      'erase',
      'doubt',
      'unseen limit 90',
      'mailbox help',
      'mailbox signs read',
      'test mail abc',
      'canary',
    ];
    for (const name of times) expect(await store.findTime(name), name).toEqual(done);
    for (const name of ['reminder help', 'mailbox help silent'])
      expect(await store.findTime(name), name).toBeNull();
    const due: Record<string, Date> = {
      ...{
        'morning:help': after(13),
        'unseen:help': after(13),
        'letter:contact': after(13),
        canary: after(13),
      },
      ...{
        'gate:mail alarm': after(24),
        'gate:notice': after(24),
        'gate:mailbox help silent': after(7 * 24),
      },
      ...{ 'gate:escalation': after(1 / 6), 'gate:urgent reminder help': after(1 / 6) },
    };
    for (const [key, dueAt] of Object.entries(due))
      expect(await store.findJob(key), key).toEqual({ dueAt, lastError: null });
    expect(await store.findJob('morning:help, in hand')).toBeNull();
  },
);

test.each(engines)(
  '%s: a canary that failed is tried again at its time, and its problem is still said',
  async (_engine, open) => {
    const failed = `failures = 2, tried_for = '${done.toISOString()}', try_at = '${after(0.25).toISOString()}', failed_at = '${done.toISOString()}', problem = 'a sample'`;
    const store = await open(canary(failed));
    onTestFinished(() => store.close());
    expect(await store.findJob('canary')).toEqual({ dueAt: after(0.25), lastError: 'a sample' });
    const which = { kinds: ['canary'], limit: 1, leaseMs: hour / 4, longestMs: 24 * hour };
    expect(await store.claimJobs(which, after(1))).toMatchObject([{ attempts: 3 }]);
  },
);

/** Urgent requests as version 14 stored them, each with what was still to come. */
const urgentRows = (yes: string) => {
  const early = after(-1).toISOString();
  const add = (
    id: number,
    reference: string,
    columns: Record<string, string>,
    verdict = '{"kind":"clean"}',
  ) => `
    INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at)
      VALUES ('${reference}', 'help', 'form', '[]', '${verdict}', '${reference}', 'a', '${early}');
    INSERT INTO deliveries (submission, next_attempt_at, urgent, rank, ${Object.keys(columns).join(', ')})
      VALUES (${id}, '${early}', ${yes}, 3, ${Object.values(columns).join(', ')})`;
  const time = (hours: number) => `'${after(hours).toISOString()}'`;
  return [
    `INSERT INTO definitions VALUES ('form', 'help', '[]')`,
    add(1, 'WWWW-3333', { attempts: '0' }),
    add(2, 'PPPP-3333', { parked_at: time(0), escalated_at: time(0), reminders: '2', remind_at: time(2) }),
    add(
      3,
      'LLLL-3333',
      { alert_at: time(0), alert_leased_until: time(0.01), alert_attempts: '4', alert_error: `'HTTP 500'` },
      '{"kind":"many"}',
    ),
    add(4, 'RRRR-3333', {
      delivered_at: time(0),
      reminders: '1',
      remind_at: time(1),
      alert_at: time(-1),
      alert_escalated: yes,
    }),
    add(5, 'TTTT-3333', { taken_at: time(0), taken_by: `'AB'`, alert_at: time(0) }),
  ].join(';\n');
};

test.each([
  ['SQLite', '1'],
  ['PostgreSQL', 'true'],
])('%s: alerts, escalations and reminders go on where they were', async (engine, yes) => {
  const url = engine === 'SQLite' ? null : await createDatabase(empty);
  const { DATA_DIR = '' } = await makeOlder(14, url, urgentRows(yes));
  const store: Store =
    url === null ? await openSqliteStore(DATA_DIR) : await openPostgresStore(url, () => {});
  onTestFinished(() => store.close());
  const dueOf = async (key: string) => (await store.findJob(key))?.dueAt ?? null;
  for (const readers of ['team', 'others']) {
    expect(await dueOf(`remind ${readers}:WWWW-3333`)).toEqual(done);
    expect(await dueOf(`remind ${readers}:PPPP-3333`)).toEqual(after(2));
    expect(await dueOf(`remind ${readers}:TTTT-3333`)).toEqual(done);
  }
  expect(await dueOf('escalate:WWWW-3333')).toEqual(after(-5 / 6));
  expect(await dueOf('escalate:LLLL-3333')).toEqual(after(-5 / 6));
  for (const reference of ['PPPP-3333', 'RRRR-3333']) expect(await dueOf(`escalate:${reference}`)).toBeNull();
  expect(await store.findJob('alert:LLLL-3333')).toEqual({ dueAt: done, lastError: 'HTTP 500' });
  for (const reference of ['WWWW-3333', 'PPPP-3333', 'TTTT-3333'])
    expect(await dueOf(`alert:${reference}`)).toBeNull();
  // The version before still leases this one.
  const leased = await claimAlerts(store, done);
  expect(leased).toMatchObject([{ reference: 'RRRR-3333', kind: 'alert again', attempts: 1, rank: 3 }]);
  expect(await claimAlerts(store, after(0.02))).toMatchObject([
    { reference: 'RRRR-3333' },
    { reference: 'LLLL-3333', kind: 'alert', attempts: 5, rank: doubtfulRank + 3 },
  ]);
  // Somebody is on TTTT-3333.
  const reminders = await claimReminders(store, after(2), { readers: 'others' });
  expect(reminders.map(({ reference, done }) => [reference, done])).toEqual([
    ['WWWW-3333', 0],
    ['RRRR-3333', 1],
    ['PPPP-3333', 2],
    ['LLLL-3333', 0],
  ]);
});

/** Of each state in which a delivery could be: waiting, leased, tried, held, refused, accepted, and gone. */
const deliveryRows = (yes: string) => {
  const add = (id: number, reference: string, columns: Record<string, string> | null, urgent = false) => `
    INSERT INTO submissions (reference, form, definition, answers, verdict, token_hash, answers_hash, received_at)
      VALUES ('${reference}', 'help', 'form', '[]', '{"kind":"clean"}', '${reference}', 'a', '${done.toISOString()}')
    ${
      columns === null
        ? ''
        : `; INSERT INTO deliveries (submission, next_attempt_at, rank ${['', ...Object.keys(columns)].join(', ')} ${urgent ? ', urgent' : ''})
      VALUES (${id}, '${done.toISOString()}', 3 ${['', ...Object.values(columns)].join(', ')} ${urgent ? `, ${yes}` : ''})`
    }`;
  const time = (hours: number) => `'${after(hours).toISOString()}'`;
  const tried = { attempts: '4', last_error: `'SMTP 451'` };
  return [
    `INSERT INTO definitions VALUES ('form', 'help', '[]')`,
    add(1, 'WWWW-3333', {}),
    add(2, 'QQQQ-3333', {}, true),
    add(3, 'LLLL-3333', { attempts: '1', leased_until: time(0.01) }),
    add(4, 'TTTT-3333', tried),
    add(5, 'HHHH-3333', { held: yes }),
    add(6, 'PPPP-3333', { ...tried, parked_at: time(0) }),
    add(7, 'DDDD-3333', {
      delivered_at: time(0),
      taken_by: `'AB'`,
      taken_at: time(1),
      followed_up_at: time(1),
      named_at: time(0.5),
    }),
    add(8, 'GGGG-3333', null),
  ].join(';\n');
};

test.each([
  ['SQLite', '1'],
  ['PostgreSQL', 'true'],
])('%s: each mail is sent when it would have been, and what staff did is there', async (engine, yes) => {
  const url = engine === 'SQLite' ? null : await createDatabase(empty);
  const { DATA_DIR = '' } = await makeOlder(14, url, deliveryRows(yes));
  const store: Store =
    url === null ? await openSqliteStore(DATA_DIR) : await openPostgresStore(url, () => {});
  onTestFinished(() => store.close());
  const claim = async (at: Date, due: DueKind) =>
    (await claimMail(store, at, 9, hour / 60, due)).map(({ reference, attempts, rank }) => [
      reference,
      attempts,
      rank,
    ]);
  expect(await claim(done, 'new')).toEqual([
    ['GGGG-3333', 1, 1],
    ['QQQQ-3333', 1, 3],
    ['WWWW-3333', 1, 3],
  ]);
  expect(await claim(done, 'retry')).toEqual([['TTTT-3333', 5, 3]]);
  expect(await claim(done, 'held')).toEqual([['HHHH-3333', 1, 3]]);
  expect(await claim(after(0.012), 'retry')).toEqual([['LLLL-3333', 2, 3]]);
  expect((await store.findSubmission('PPPP-3333'))?.delivery).toMatchObject({
    parkedAt: done,
    attempts: 4,
    lastError: 'SMTP 451',
  });
  expect(await claim(after(23.9), 'retry')).not.toContainEqual(['PPPP-3333', 5, 3]);
  expect(await claim(after(24), 'retry')).toContainEqual(['PPPP-3333', 5, 3]);
  expect(await store.findJob('mail:DDDD-3333')).toBeNull();
  expect(await store.findSubmission('DDDD-3333')).toMatchObject({
    delivery: { deliveredAt: done },
    followUp: { takenBy: 'AB', takenAt: after(1), seenAt: after(1) },
  });
});
