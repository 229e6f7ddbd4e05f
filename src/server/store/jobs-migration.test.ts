import { expect, onTestFinished, test } from 'vitest';
import { createDatabase, empty } from '../../../test/support/databases.ts';
import { makeOlder } from '../../../test/support/older-schema.ts';
import type { Store } from './contract/store.ts';
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
