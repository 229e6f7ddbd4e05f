import { type ContentSource, describeLastingFault } from '../content/content-source.ts';
import type { Alert } from '../delivery/notices/staff-alert.ts';
import type { Erased } from '../erasure/retention.ts';
import { findSpaceProblem } from '../files/free-space.ts';
import type { Log } from '../log/log.ts';
import type { LogEvent } from '../log/log-events.ts';
import type { StoreHealth } from '../submissions/store-health.ts';
import type { Timer } from '../time/run-every.ts';
import type { ClockWatch } from './build-erasing.ts';

const minuteMs = 60_000;
/** Staff hear soon that nobody may be contacted any more. */
const changeMs = 5_000;
const hourMs = 60 * minuteMs;

interface ScheduledJobParts {
  dataDir: string;
  writeAwayPage: () => Promise<void>;
  noticeUndelivered: () => Promise<void>;
  sendDigests: () => Promise<void>;
  escalate: () => Promise<void>;
  sendChanges: () => Promise<void>;
  eraseExpired: () => Promise<Erased>;
  clockWatch: Pick<ClockWatch, 'tell' | 'look'>;
  alertStaff: (alert: Alert, problem: string) => Promise<unknown>;
  storeHealth: Pick<StoreHealth, 'findProblem'>;
  content: Pick<ContentSource, 'fault'>;
  log: Log;
}

/** What the server does on a schedule, without a request. */
export function createScheduledJobs(parts: ScheduledJobParts): Timer[] {
  const { dataDir, writeAwayPage, noticeUndelivered, sendDigests, escalate, eraseExpired, clockWatch } =
    parts;
  const { sendChanges } = parts;
  const { alertStaff, storeHealth, content, log } = parts;

  async function erase(): Promise<void> {
    const { count, unseen, scrubbed, clockFault } = await eraseExpired();
    await clockWatch.tell(clockFault);
    if (unseen > 0) log.error({ event: 'requests erased unseen', count: unseen });
    if (count > 0 || !scrubbed)
      log.info({ event: scrubbed ? 'requests erased' : 'requests erased, traces left', count });
  }

  async function checkSpace(): Promise<void> {
    const problem = await findSpaceProblem(dataDir);
    if (problem === null) return;
    log.warn({ event: 'disk nearly full', reason: problem });
    await alertStaff('space', problem);
  }

  const alertOn = (alert: Alert, findProblem: () => Promise<string | null>) => async () => {
    const problem = await findProblem();
    if (problem !== null) await alertStaff(alert, problem);
  };
  // The first failed request alerts staff too, but that mail may have failed.
  const checkStore = alertOn('keeping', () => storeHealth.findProblem());
  const checkContent = alertOn('content', async () => describeLastingFault(content.fault()));

  const every = (everyMs: number, run: Timer['run'], failed: LogEvent): Timer => ({ everyMs, run, failed });
  return [
    { ...every(minuteMs / 2, sendDigests, 'held mail not sent'), isAwaited: true },
    { ...every(changeMs, sendChanges, 'change mail not sent'), isAwaited: true },
    { ...every(minuteMs, escalate, 'escalation not sent'), isAwaited: true },
    every(minuteMs / 2, checkStore, 'store check failed'),
    every(5 * minuteMs, noticeUndelivered, 'delivery check failed'),
    every(5 * minuteMs, checkContent, 'content check failed'),
    every(5 * minuteMs, checkSpace, 'disk check failed'),
    every(minuteMs, clockWatch.look, 'clock check failed'),
    every(hourMs, erase, 'expired requests not erased'),
    // A closure may begin or end meanwhile.
    every(hourMs, writeAwayPage, 'away page not written'),
  ];
}
