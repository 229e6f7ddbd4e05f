import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { createDatabase } from '../../../../test/support/databases.ts';
import { shippedContent } from '../../../../test/support/forms.ts';
import { anySubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import { StoreUnavailable } from '../contract/errors.ts';
import { claimMail } from '../contract/mail-jobs.ts';
import type { Store } from '../contract/store.ts';
import type { NewSubmission } from '../contract/submission.ts';
import { openPostgresStore, type PostgresStore } from '../postgres/postgres-store.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import { createStoreWithFallback } from './store-with-fallback.ts';

/** What is counted where there are two databases: once, in the one that all servers share. */

const received = new Date('2026-03-01T00:00:00Z');
const ever = ['0000-01-01', '9999-12-31'] as const;
const kinds = ['Housing', 'Counselling', 'Something else'];

const submission = (token: string, changes: Partial<NewSubmission> = {}) =>
  anySubmission({
    ...{ form: shippedContent.forms.help, tokenHash: token, answersHash: token, receivedAt: received },
    chosen: [{ field: 'SupportNeeded', choice: kinds[token.length % kinds.length] ?? '' }],
    ...changes,
  });

async function prepare() {
  const url = await createDatabase();
  const database = await openPostgresStore(url, () => {});
  const fallback = await openSqliteStore(temporaryFolder());
  let mode: 'there' | 'away' | 'mute' = 'there';
  const clock = { at: received.getTime() };
  const away = () => new StoreUnavailable('taken away');
  const guarded = <Given extends unknown[], T>(work: (...given: Given) => Promise<T>) => {
    return async (...given: Given): Promise<T> => {
      if (mode === 'away') throw away();
      const result = await work(...given);
      // It was done, and the answer got lost.
      if (mode === 'mute') throw away();
      return result;
    };
  };
  const store = createStoreWithFallback({
    description: 'PostgreSQL',
    fallback,
    now: () => new Date(clock.at),
    async connect(): Promise<PostgresStore> {
      return {
        ...database,
        add: guarded(database.add),
        tryWrite: guarded(database.tryWrite),
        importRows: guarded(database.importRows),
        mergeCounts: guarded(database.mergeCounts),
        close: async () => {},
      };
    },
    onAway: () => {},
    onStillAway: () => {},
    onBack: async () => {},
    onTransferred: () => {},
    onTransferFailed: () => {},
  });
  await store.check();
  const close = () => Promise.all([store.close(), database.close()]).then(() => {});
  return {
    store,
    fallback,
    database,
    clock,
    close,
    async be(next: typeof mode) {
      mode = next;
      if (mode === 'there' && store.isAway) await store.check();
    },
    /** A lease that a transfer left behind is over by then. */
    async transferEverything() {
      clock.at += 60_000;
      await store.transfer();
      expect(await fallback.countAll()).toBe(0);
    },
  };
}

async function countsOf(store: Store) {
  const { received: came, choices, hours, delivered } = await store.readFigures(...ever);
  const sum = (all: readonly { count: number }[]) => all.reduce((before, { count }) => before + count, 0);
  return {
    received: sum(came),
    hours: sum(hours),
    delivered: sum(delivered),
    choices: Object.fromEntries(choices.map(({ choice, count }) => [choice, count])),
  };
}

test('a request that was stored while the shared database was away is counted there after its transfer', async () => {
  const { store, fallback, database, be, transferEverything, close } = await prepare();
  onTestFinished(close);
  await store.add(submission('a'));
  await be('away');
  await store.add(submission('bb'));
  await store.add(submission('cc', { canary: true }));
  expect(await fallback.readCounts()).toEqual([]);
  for (const claim of await claimMail(store, received, 10, 1_000, 'new'))
    await store.finishDelivery(claim, new Date(received.getTime() + 5_000));
  expect(await countsOf(database)).toMatchObject({ received: 1, delivered: 0 });
  await be('there');
  await transferEverything();
  expect(await countsOf(database)).toEqual({
    received: 2,
    hours: 2,
    delivered: 1,
    choices: { Counselling: 1, 'Something else': 1 },
  });
});

test('counts from before there was a shared database are transferred too, those of erased requests included', async () => {
  const { store, fallback, database, transferEverything, close } = await prepare();
  onTestFinished(close);
  await fallback.add(submission('a'));
  const gone = await fallback.add(submission('bb'));
  await fallback.eraseSubmissions([gone.added ? gone.receipt.reference : '']);
  await transferEverything();
  await transferEverything();
  expect(await countsOf(database)).toMatchObject({ received: 2, hours: 2 });
  expect(await fallback.readCounts()).toEqual([]);
  await store.add(submission('ccc'));
  expect(await countsOf(store)).toMatchObject({ received: 3 });
});

test('a server that goes back to SQLite alone has the figures of what is there', async () => {
  const { store, fallback, be, close } = await prepare();
  onTestFinished(close);
  await be('away');
  await store.add(submission('a'));
  for (const claim of await claimMail(store, received, 10, 1_000, 'new'))
    await store.finishDelivery(claim, received);
  expect(await countsOf(fallback)).toMatchObject({ received: 1, delivered: 1 });
});

/** The same few forms, sent and sent again, to a database that goes, comes back, and sometimes cannot say what it did. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('send' as const), token: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('be' as const), mode: fc.constantFrom('there', 'away', 'mute') }),
  },
  fc.record({ do: fc.constantFrom('move' as const, 'deliver' as const, 'retry' as const) }),
  fc.record({ do: fc.constant('erase' as const), token: fc.integer({ min: 1, max: 6 }) }),
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** What was delivered from the fallback, and is to be sent again before it has moved, was delivered all the same. */
const sentAgainMeanwhile = (mode: 'away' | 'mute'): [Step[]] => [
  [
    { do: 'be', mode },
    { do: 'send', token: 1 },
    { do: 'be', mode: 'away' },
    { do: 'deliver' },
    { do: 'retry' },
  ],
];

test('however requests are sent, sent again, lost, transferred, delivered and erased: each acknowledged one counts once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const { store, database, be, clock, transferEverything, close } = await prepare();
      const acknowledged = new Map<string, string>();
      const erased = new Set<string>();
      const delivered = new Set<string>();
      const nowAgain = () => {
        clock.at += 120_000;
        return new Date(clock.at);
      };
      const there = async () => {
        await be('there');
        await transferEverything();
      };
      try {
        for (const one of steps) {
          if (one.do === 'be') await be(one.mode as 'there');
          else if (one.do === 'send') {
            const token = 'x'.repeat(one.token);
            // A token that was erased is spent nowhere any more; nobody holds its form still.
            if (erased.has(token)) continue;
            const added = await store.add(submission(token));
            const { reference } = added.added ? added.receipt : added.spent.receipt;
            acknowledged.set(token, acknowledged.get(token) ?? reference);
          } else if (one.do === 'move') await store.transfer().catch(() => {});
          else if (one.do === 'deliver') {
            for (const claim of await claimMail(store, nowAgain(), 10, 1_000, 'new'))
              if (await store.finishDelivery(claim, new Date(clock.at)).catch(() => false))
                delivered.add(claim.submission.reference);
          } else if (one.do === 'retry') {
            const [reference] = acknowledged.values();
            if (reference) await store.retryDeliveries({ reference }, nowAgain());
          } else if (one.do === 'erase') {
            const token = 'x'.repeat(one.token);
            const reference = acknowledged.get(token);
            if (!reference) continue;
            await there();
            await store.eraseOne(reference, nowAgain());
            erased.add(token);
          }
        }
        await there();
        const choices: Record<string, number> = {};
        for (const { length } of acknowledged.keys()) {
          const kind = kinds[length % kinds.length] ?? '';
          choices[kind] = (choices[kind] ?? 0) + 1;
        }
        const total = acknowledged.size;
        expect(await countsOf(database)).toEqual({
          received: total,
          hours: total,
          delivered: delivered.size,
          choices,
        });
      } finally {
        await close();
      }
    }),
    { numRuns: 12, examples: [sentAgainMeanwhile('away'), sentAgainMeanwhile('mute')] },
  );
});
