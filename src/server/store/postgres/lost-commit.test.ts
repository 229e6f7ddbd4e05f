import { describe, expect, onTestFinished, test } from 'vitest';
import { startCommitProxy } from '../../../../test/support/commit-proxy.ts';
import { createDatabase } from '../../../../test/support/databases.ts';
import { workerFor } from '../../../../test/support/delivery.ts';
import { anySubmission } from '../../../../test/support/stored-submissions.ts';
import { temporaryFolder } from '../../../../test/support/temporary.ts';
import type { MailTransport } from '../../delivery/mail-transport.ts';
import type { Added } from '../contract/submission.ts';
import { createStoreWithFallback } from '../fallback/store-with-fallback.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import { openPostgresStore } from './postgres-store.ts';

/** The connection to PostgreSQL is lost while it commits: nobody knows whether it did. */

const receiptOf = (added: Added) => (added.added ? added.receipt : added.spent.receipt);

/** A server with a file of its own, and PostgreSQL behind a connection that can be lost. All servers share the mailbox. */
async function prepare() {
  const database = await createDatabase();
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const mails: string[] = [];
  const mailbox: MailTransport = {
    description: 'a mailbox',
    send: async ({ name }) => {
      mails.push(name);
      return { ok: true };
    },
  };
  async function serve() {
    const proxy = await startCommitProxy(database);
    const fallback = await openSqliteStore(temporaryFolder());
    const store = createStoreWithFallback({
      description: 'PostgreSQL',
      fallback: fallback,
      now,
      connect: () => openPostgresStore(proxy.url, () => {}),
      onAway: () => {},
      onStillAway: () => {},
      onBack: async () => {},
      onTransferred: () => {},
      onTransferFailed: () => {},
    });
    onTestFinished(() => store.close());
    await store.check();
    await store.transfer();
    return { proxy, fallback, store, mailDue: () => workerFor(store, mailbox, now).sendDue() };
  }
  const wait = (ms: number) => {
    ahead += ms;
  };
  return { serve, mails, wait };
}

describe.each(['before', 'after'] as const)('lost %s PostgreSQL has committed', (when) => {
  test('a request is stored and mailed once, and a resend gets the first receipt', async () => {
    const { serve, mails, wait } = await prepare();
    const { proxy, fallback, store, mailDue } = await serve();
    const other = await serve();
    const sent = anySubmission();
    const lost = proxy.loseNext(when);
    const first = receiptOf(await store.add(sent));
    await lost;
    await mailDue();
    await other.mailDue();
    await store.check();
    await mailDue();
    wait(10 * 60_000);
    await store.transfer();
    await mailDue();
    await other.mailDue();
    expect(mails).toEqual([first.reference]);
    expect(await fallback.countAll()).toBe(0);
    expect(receiptOf(await store.add(sent))).toEqual(first);
    expect(receiptOf(await other.store.add(sent))).toEqual(first);
    expect(await store.countSubmissions({})).toMatchObject({ total: 1 });
    const { received } = await store.readFigures('0000-01-01', '9999-12-31');
    expect(received.reduce((sum, { count }) => sum + count, 0)).toBe(1);
  });

  test('and then away, a request is mailed from the fallback, and not again once the database is back', async () => {
    const { serve, mails, wait } = await prepare();
    const { proxy, fallback, store, mailDue } = await serve();
    const sent = anySubmission();
    const lost = proxy.loseNext(when, { thenAway: true });
    const first = receiptOf(await store.add(sent));
    await lost;
    expect(await fallback.countAll()).toBe(1);
    expect(receiptOf(await store.add(sent))).toEqual(first);
    // An outage of minutes must not keep a request from staff.
    wait(60_000);
    await mailDue();
    expect(mails).toEqual([first.reference]);
    proxy.setAway(false);
    await store.check();
    await mailDue();
    await store.transfer();
    wait(10 * 60_000);
    await mailDue();
    expect(mails).toEqual([first.reference]);
    expect(await fallback.countAll()).toBe(0);
    expect(await store.countSubmissions({})).toMatchObject({ total: 1 });
  });

  test('and away for a moment, a request is mailed by one server only', async () => {
    const { serve, mails, wait } = await prepare();
    const { proxy, store, mailDue } = await serve();
    const other = await serve();
    const lost = proxy.loseNext(when, { thenAway: true });
    const { reference } = receiptOf(await store.add(anySubmission()));
    await lost;
    await mailDue();
    await other.mailDue();
    proxy.setAway(false);
    await store.check();
    await mailDue();
    await store.transfer();
    wait(10 * 60_000);
    await mailDue();
    await other.mailDue();
    expect(mails).toEqual([reference]);
  });

  test('during a transfer, each request is mailed once', async () => {
    const { serve, mails, wait } = await prepare();
    const { proxy, fallback, store, mailDue } = await serve();
    proxy.setAway(true);
    const { reference } = receiptOf(await store.add(anySubmission()));
    proxy.setAway(false);
    await store.check();
    const lost = proxy.loseNext(when);
    await store.transfer().catch(() => {});
    await lost;
    await store.check();
    await mailDue();
    // The lease of the transfer is over.
    wait(21_000);
    await mailDue();
    await store.transfer();
    wait(10 * 60_000);
    await mailDue();
    expect(mails).toEqual([reference]);
    expect(await fallback.countAll()).toBe(0);
  });
});
