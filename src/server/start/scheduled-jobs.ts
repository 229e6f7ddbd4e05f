import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { type ContentSource, describeLastingFault } from '../content/content-source.ts';
import type { Erased } from '../delivery/erasure/retention.ts';
import type { Alert } from '../delivery/notices/staff-alert.ts';
import { findSpaceProblem } from '../files/free-space.ts';
import type { StoreHealth } from '../submissions/store-health.ts';
import { type ClockFault, describeClockFault } from '../time/clock-trust.ts';
import { runEvery } from '../time/run-every.ts';

const lookEveryMs = 5 * 60_000;
/** An urgent request is late by this much more at most before somebody else hears of it. */
const escalateEveryMs = 60_000;
/** More often than the same alarm is tried again. */
const raiseEveryMs = 30_000;
/** What was held back is due at a round time; this is how late it may be. */
const heldEveryMs = 30_000;
/** Held mail in hand when the server closes gets this long, as any other does. */
const stopMs = 6_000;
const eraseEveryMs = 60 * 60_000;
const keepBuildEveryMs = 60 * 60_000;
const unparkEveryMs = 60 * 60_000;
/** What was refused for good is tried once a day all the same: a mailbox is made anew, a block is lifted. */
const parkedMs = 24 * 60 * 60_000;

export interface ScheduledJobParts {
  dataDir: string;
  /** Keeps the files of the build that runs for a later one to serve. */
  keepBuild: () => Promise<void>;
  noticeUndelivered: () => Promise<void>;
  sendDigests: () => Promise<void>;
  escalate: () => Promise<void>;
  eraseExpired: () => Promise<Erased>;
  /** Makes what was parked this long ago due once more. */
  unpark: (afterMs: number) => Promise<number>;
  alertStaff: (alarm: Alert, problem: string) => Promise<unknown>;
  storeHealth: Pick<StoreHealth, 'findProblem'>;
  content: Pick<ContentSource, 'fault'>;
  log: Logger;
}

export interface ScheduledJobs {
  /** At once and then every so often. */
  start(): void;
  /** Waits for held mail that is just being sent: one that was sent and not written down would be sent again. */
  stop(): Promise<void>;
  /** Why nothing was erased the last time. */
  clockFault(): ClockFault | null;
}

/** What is done every so often, whether or not anyone comes by. */
export function createScheduledJobs(parts: ScheduledJobParts): ScheduledJobs {
  const { dataDir, keepBuild, noticeUndelivered, sendDigests, escalate, eraseExpired } = parts;
  const { unpark, alertStaff, storeHealth, content, log } = parts;
  let fault: ClockFault | null = null;
  let stops: (() => unknown)[] = [];
  let stopHeld = async () => {};

  async function erase(): Promise<void> {
    const { count, scrubbed, doubt } = await eraseExpired();
    if (doubt && doubt !== fault) log.error({ event: 'nothing erased', reason: describeClockFault(doubt) });
    fault = doubt;
    if (count > 0 || !scrubbed) log.info({ event: scrubbed ? 'erased' : 'erased but not scrubbed', count });
  }

  async function tryParked(): Promise<void> {
    const count = await unpark(parkedMs);
    if (count > 0) log.info({ event: 'parked mail is tried again', count });
  }

  async function lookAtSpace(): Promise<void> {
    const problem = await findSpaceProblem(dataDir);
    if (problem === null) return;
    log.warn({ event: 'little room', reason: problem });
    await alertStaff('space', problem);
  }

  /** A mail server that asks to come back later must hear of it again. */
  async function lookAtKeeping(): Promise<void> {
    const problem = await storeHealth.findProblem();
    if (problem !== null) await alertStaff('keeping', problem);
  }

  async function lookAtContent(): Promise<void> {
    const problem = describeLastingFault(content.fault());
    if (problem !== null) await alertStaff('content', problem);
  }

  const failed = (event: string) => (err: unknown) => log.error({ event, err });
  return {
    start() {
      stopHeld = runEvery(heldEveryMs, sendDigests, failed('held mail not sent'));
      stops = [
        runEvery(lookEveryMs, noticeUndelivered, failed('trouble could not be looked for')),
        runEvery(escalateEveryMs, escalate, failed('urgent requests not escalated')),
        runEvery(raiseEveryMs, lookAtKeeping, failed('keeping could not be looked at')),
        runEvery(lookEveryMs, lookAtContent, failed('content could not be looked at')),
        runEvery(lookEveryMs, lookAtSpace, failed('room could not be looked at')),
        runEvery(eraseEveryMs, erase, failed('expired requests not erased')),
        runEvery(unparkEveryMs, tryParked, failed('parked mail not tried again')),
        runEvery(keepBuildEveryMs, keepBuild, failed('built files not kept')),
      ];
    },
    async stop() {
      for (const stop of stops) stop();
      await Promise.race([stopHeld(), setTimeout(stopMs, undefined, { ref: false })]);
    },
    clockFault: () => fault,
  };
}
