import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import { createStoreHealth } from '../submissions/store-health.ts';
import { createSiteHealth } from './site-health.ts';

const full = new StoreUnavailable('no', { problem: 'the disk is full' });

function prepare() {
  const state = { canKeep: true, checks: [] as string[], alert: null as string | null };
  const tryWrite = async () => {
    if (!state.canKeep) throw full;
  };
  const storeHealth = createStoreHealth({
    store: { tryWrite: tryWrite },
    onFailed: () => {},
    onWorking: () => {},
  });
  const undelivered = () => [{ form: 'help', waiting: 0, held: 0, parked: 1, oldestReceivedAt: null }];
  const health = createSiteHealth({
    storeHealth,
    store: { summariseUndelivered: async () => undelivered(), holdsSubmissions: true } as never,
    dataDir: temporaryFolder(),
    mailFolder: temporaryFolder(),
    clockFault: () => null,
    content: { fault: () => null },
    pages: { areOutdated: () => false },
    selfChecks: { problems: async () => state.checks, warnings: () => ['a certificate ends soon'] },
    alertWorker: { findWarning: async () => state.alert },
    now: () => new Date(),
  });
  return { state, storeHealth, ...health };
}

test('one request that could not be stored shows to this machine, and not to the public', async () => {
  const { storeHealth, ready, publicChecks, state } = prepare();
  state.canKeep = false;
  storeHealth.recordFailure(full);
  expect((await ready()).problems).toEqual(['the disk is full']);
  state.canKeep = true;
  storeHealth.recordFailure(full);
  expect(await publicChecks.ready()).toBe(true);
});

test('a server that can store no request says so to the public before anybody sends one', async () => {
  const { ready, publicChecks, state } = prepare();
  state.canKeep = false;
  expect((await ready()).problems).toEqual([]);
  expect(await publicChecks.ready()).toBe(false);
  expect((await ready()).problems).toEqual(['the disk is full']);
  state.canKeep = true;
  expect(await publicChecks.ready()).toBe(true);
});

test('a parked request shows to this machine only; a mail server that accepts no mail shows to everybody', async () => {
  const { deliveries, publicChecks, state } = prepare();
  expect((await deliveries()).problems).toEqual(['1 request was refused by the mail server and is parked']);
  expect(await publicChecks.deliveries()).toBe(true);
  state.checks = ['the mail server does not answer'];
  expect(await publicChecks.deliveries()).toBe(false);
});

test('an alert that does not get through is a warning to this machine: staff have the mail', async () => {
  const { deliveries, publicChecks, state } = prepare();
  expect((await deliveries()).warnings).toEqual(['a certificate ends soon']);
  const { problems } = await deliveries();
  state.alert = '1 alert did not get through';
  expect(await deliveries()).toEqual({
    problems,
    warnings: ['a certificate ends soon', '1 alert did not get through'],
  });
  expect(await publicChecks.deliveries()).toBe(true);
});
