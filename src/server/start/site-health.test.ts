import { expect, test } from 'vitest';
import { shippedContent, stillContent } from '../../../test/support/forms.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import type { OpenSummary } from '../store/contract/follow-ups.ts';
import { createStoreHealth } from '../submissions/store-health.ts';
import { nzMoment } from '../time/nz-time.ts';
import { createSiteHealth } from './site-health.ts';

const full = new StoreUnavailable('no', { problem: 'the disk is full' });

function prepare({ content = stillContent() } = {}) {
  const state = {
    canKeep: true,
    checks: [] as string[],
    open: [] as OpenSummary[],
    alert: null as string | null,
    staff: [] as string[],
  };
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
    store: {
      summariseUndelivered: async () => undelivered(),
      summariseOpen: async () => state.open,
      holdsSubmissions: true,
    } as never,
    reminders: { at: '08:30', urgentWithinMs: 3_600_000 },
    dataDir: temporaryFolder(),
    mailFolder: temporaryFolder(),
    clockFault: () => null,
    content,
    pages: { areOutdated: () => false },
    selfChecks: {
      problems: async () => state.checks,
      warnings: () => ['a certificate ends soon'],
      staffProblems: async () => state.staff,
    },
    findRefusalProblem: () => null,
    alertWorker: { findWarning: async () => state.alert },
    now: () => nzMoment('2026-11-18', '12:00'),
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

test('what nobody has seen, and a mailbox that nobody reads, show to this machine only: a request changes it', async () => {
  const { deliveries, publicChecks, state } = prepare();
  const { problems } = await deliveries();
  state.staff = ['nobody has seen 1 request, the oldest since Monday 2 November'];
  expect(await deliveries()).toMatchObject({
    problems: [...problems, ...state.staff],
    forStaff: state.staff,
  });
  expect(await publicChecks.deliveries()).toBe(true);
});

test('an alert that does not get through is a warning to this machine: staff have the mail', async () => {
  const { deliveries, publicChecks, state } = prepare();
  expect((await deliveries()).warnings).toEqual(['a certificate ends soon']);
  const { problems } = await deliveries();
  state.alert = '1 alert did not get through';
  expect(await deliveries()).toEqual({
    problems,
    warnings: ['a certificate ends soon', '1 alert did not get through'],
    forStaff: [],
  });
  expect(await publicChecks.deliveries()).toBe(true);
});

test('what is urgent and untaken is a warning in the details also while the trust is closed', async () => {
  const closed = [{ from: '2026-11-17', until: '2027-01-25', text: '' }];
  const content = stillContent({ ...shippedContent, site: { ...shippedContent.site, closed } });
  const { deliveries, publicChecks, state } = prepare({ content });
  const open = { open: 2, oldestReceivedAt: nzMoment('2026-11-17', '16:00') };
  state.open = [{ form: 'help', urgentUntaken: 1, ...open }];
  expect((await deliveries()).warnings).toContain('nobody has taken what is urgent: 1 request');
  expect(await publicChecks.deliveries()).toBe(true);
  state.open = [{ form: 'help', urgentUntaken: 0, ...open }];
  expect((await deliveries()).warnings).toEqual(['a certificate ends soon']);
});

test('what waits for an answer longer than promised is a warning in the details, and nothing to the public', async () => {
  const { deliveries, publicChecks, state } = prepare();
  const since = (day: string) => ({ open: 2, urgentUntaken: 0, oldestReceivedAt: nzMoment(day, '16:00') });
  const warnings = async (...open: OpenSummary[]) => {
    state.open = open;
    return (await deliveries()).warnings.filter((one) => one.includes('answer'));
  };
  expect(await warnings()).toEqual([]);
  // Monday: a message may wait for two working days, a request for one.
  expect(await warnings({ form: 'contact', ...since('2026-11-16') })).toEqual([]);
  expect(
    await warnings({ form: 'help', ...since('2026-11-16') }, { form: 'contact', ...since('2026-11-17') }),
  ).toEqual([
    'an answer is later than promised. Waiting: 2 requests and 2 messages, the oldest since Monday 16 November',
  ]);
  expect((await deliveries()).forStaff).toEqual(await warnings(...state.open));
  expect(await publicChecks.deliveries()).toBe(true);
});
