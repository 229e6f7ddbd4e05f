import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { collectLog } from '../../../test/support/log.ts';
import { temporaryFolder } from '../../../test/support/temporary.ts';
import { createTimers } from '../time/run-every.ts';
import { createScheduledJobs } from './scheduled-jobs.ts';

test('a server that closes waits until the digest it is sending is recorded as sent', async () => {
  const mail = Promise.withResolvers<void>();
  const done: string[] = [];
  const { log } = collectLog();
  const scheduled = createScheduledJobs({
    dataDir: temporaryFolder(),
    writeAwayPage: async () => {},
    noticeUndelivered: async () => {},
    sendDigests: () => mail.promise.then(() => void done.push('recorded')),
    escalate: async () => {},
    sendChanges: async () => {},
    eraseExpired: async () => ({
      count: 0,
      unseen: 0,
      scrubbed: true,
      clockFault: null,
      expiries: [],
      isWarned: true,
    }),
    clockWatch: { tell: async () => {}, look: async () => {} },
    alertStaff: async () => {},
    storeHealth: { findProblem: async () => null },
    content: { fault: () => null },
    log,
  });
  const jobs = createTimers(scheduled, log);
  jobs.start();
  const stopped = jobs.stop().then(() => done.push('stopped'));
  // A stop that does not wait would have ended by now.
  await nextTurn();
  mail.resolve();
  await stopped;
  expect(done).toEqual(['recorded', 'stopped']);
});
