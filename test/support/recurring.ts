import { createRecurringJobs, type RecurringJob } from '../../src/server/jobs/recurring-jobs.ts';
import type { Store } from '../../src/server/store/contract/store.ts';
import type { CheckClock } from '../../src/server/time/clock-trust.ts';
import { collectLog } from './log.ts';

interface ServerParts {
  store: Store;
  jobs: readonly RecurringJob[];
  now: () => Date;
  log?: ReturnType<typeof collectLog>['log'];
  checkClock?: CheckClock;
}

/** One of several servers with these jobs. Each call does what is due, and waits for it. */
export function serverWith({ log = collectLog().log, checkClock = () => null, ...parts }: ServerParts) {
  return createRecurringJobs({ ...parts, log, checkClock }).runDue;
}

/** As if these jobs had been missed: they are done at the first look. */
export async function makeDue(store: Pick<Store, 'addJob'>, ...keys: string[]): Promise<void> {
  for (const key of keys) await store.addJob({ kind: key.split(':')[0] ?? '', key, dueAt: new Date(0) });
}
