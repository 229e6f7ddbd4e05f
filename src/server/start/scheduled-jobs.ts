import type { Logger } from 'pino';
import { type ContentSource, describeLastingFault } from '../content/content-source.ts';
import type { Alert } from '../delivery/notices/staff-alert.ts';
import type { Erased } from '../erasure/retention.ts';
import { findSpaceProblem } from '../files/free-space.ts';
import type { StoreHealth } from '../submissions/store-health.ts';
import { runEvery, type StopRunning, shutdownGraceMs } from '../time/run-every.ts';
import type { createClockWatch } from './clock-watch.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface ScheduledJobParts {
  dataDir: string;
  writeAwayPage: () => Promise<void>;
  noticeUndelivered: () => Promise<void>;
  sendDigests: () => Promise<void>;
  escalate: () => Promise<void>;
  eraseExpired: () => Promise<Erased>;
  clockWatch: ReturnType<typeof createClockWatch>;
  alertStaff: (alert: Alert, problem: string) => Promise<unknown>;
  storeHealth: Pick<StoreHealth, 'findProblem'>;
  content: Pick<ContentSource, 'fault'>;
  log: Logger;
}

/** What the server does on a schedule, without a request. */
export function createScheduledJobs(parts: ScheduledJobParts) {
  const { dataDir, writeAwayPage, noticeUndelivered, sendDigests, escalate, eraseExpired, clockWatch } =
    parts;
  const { alertStaff, storeHealth, content, log } = parts;
  let stops: StopRunning[] = [];
  let sendingStops: StopRunning[] = [];

  async function erase(): Promise<void> {
    const { count, unseen, scrubbed, clockFault } = await eraseExpired();
    await clockWatch.tell(clockFault);
    if (unseen > 0) log.error({ event: 'requests erased unseen', count: unseen });
    if (count > 0 || !scrubbed) log.info({ event: scrubbed ? 'erased' : 'erased but not scrubbed', count });
  }

  async function checkSpace(): Promise<void> {
    const problem = await findSpaceProblem(dataDir);
    if (problem === null) return;
    log.warn({ event: 'little room', reason: problem });
    await alertStaff('space', problem);
  }

  const alertOn = (alert: Alert, findProblem: () => Promise<string | null>) => async () => {
    const problem = await findProblem();
    if (problem !== null) await alertStaff(alert, problem);
  };
  // The first failed request alerts staff too, but that mail may have failed.
  const checkStore = alertOn('keeping', () => storeHealth.findProblem());
  const checkContent = alertOn('content', async () => describeLastingFault(content.fault()));

  const failed = (event: string) => (err: unknown) => log.error({ event, err });
  return {
    start() {
      sendingStops = [
        runEvery(minuteMs / 2, sendDigests, failed('held mail not sent')),
        runEvery(minuteMs, escalate, failed('urgent requests not escalated')),
      ];
      stops = [
        runEvery(minuteMs / 2, checkStore, failed('keeping could not be looked at')),
        runEvery(5 * minuteMs, noticeUndelivered, failed('trouble could not be looked for')),
        runEvery(5 * minuteMs, checkContent, failed('content could not be looked at')),
        runEvery(5 * minuteMs, checkSpace, failed('room could not be looked at')),
        runEvery(minuteMs, clockWatch.look, failed('clock not checked')),
        runEvery(hourMs, erase, failed('expired requests not erased')),
        // A closure may begin or end meanwhile.
        runEvery(hourMs, writeAwayPage, failed('away page not written')),
      ];
    },
    /** Waits for a mail that is being sent: sent and not recorded, it would be sent again. */
    async stop() {
      for (const stop of stops) void stop();
      await Promise.all(sendingStops.map((stop) => stop(shutdownGraceMs)));
    },
  };
}
