import { setTimeout } from 'node:timers/promises';
import type { Log } from '../log/log.ts';
import type { LogEvent } from '../log/log-events.ts';
import type { Archive } from '../store/contract/archive.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import type { JobClaim, Jobs, Postponed } from '../store/contract/jobs.ts';
import { type CheckClock, toleranceMs } from '../time/clock-trust.ts';
import { runEvery, type StopRunning, shutdownGraceMs } from '../time/run-every.ts';
import { retryWrite } from './retry-write.ts';

const minuteMs = 60_000;
/** A run whose server died is made by another one after this. Longer than the longest run. */
const leaseMs = 15 * minuteMs;
/** A run that failed is made again after this. */
const againMs = 15 * minuteMs;
/** The longest wait between two runs: a closure over the summer. */
const longestMs = 100 * 24 * 60 * minuteMs;
/** A job is due so early at most: by the clock of another server, or by a setting that has changed. */
const earlyMs = 12 * 60 * minuteMs;

/** `again`: in a quarter of an hour. */
export type Outcome = 'done' | 'again' | Postponed;

/** Something that is done once at each of its moments, by one server. */
export interface RecurringJob {
  /** Its kind, and of what: 'morning:help'. */
  key: string;
  /** The last moment of it, and the next one. */
  last(now: Date): Date;
  next(now: Date): Date;
  /** Done at once in a new database. Otherwise the first moment is the next one. */
  isDueAtFirst?: boolean;
  /** Done also while the clock is in doubt. */
  byAnyClock?: boolean;
  /** @param due the moment for which it is done */
  run(due: Date, claim: JobClaim): Promise<Outcome>;
  /** The log event of a run that throws. */
  failed: LogEvent;
}

interface RecurringJobsParts {
  store: Jobs & Pick<Archive, 'findTimes'>;
  jobs: readonly RecurringJob[];
  checkClock: CheckClock;
  now: () => Date;
  log: Pick<Log, 'info' | 'error'>;
  pollMs?: number;
}

const kindOf = (key: string) => key.split(':')[0] ?? key;

export function createRecurringJobs(parts: RecurringJobsParts) {
  const { store, jobs, checkClock, now, log, pollMs = minuteMs / 2 } = parts;
  /** By key. A clock that is set ahead would otherwise begin them again. */
  const running = new Map<string, Promise<void>>();
  let isAway = false;
  let stopPolling: StopRunning = async () => {};

  async function schedule({ key, last, next, isDueAtFirst }: RecurringJob): Promise<void> {
    const at = now();
    const kind = kindOf(key);
    if (isDueAtFirst) await store.addJob({ kind, key, dueAt: last(at) });
    // The clock of the server that has just done it may be ahead of ours.
    const dueAt = next(new Date(at.getTime() + toleranceMs));
    await store.scheduleJob({ kind, key, dueAt }, at);
  }

  /** What becomes of the job after it was done, or not. */
  async function attempt({ last, next, failed, run }: RecurringJob, claim: JobClaim): Promise<Postponed> {
    const due = last(now());
    const isDue = claim.attempts > 1 || due.getTime() > claim.dueAt.getTime() - earlyMs;
    if (!isDue) return { dueAt: next(now()), error: claim.lastError, attempts: 0 };
    const outcome = await run(due, claim).catch((err): Outcome => {
      log.error({ event: failed, err });
      return 'again';
    });
    if (outcome === 'done') return { dueAt: next(now()), attempts: 0 };
    if (outcome === 'again') return { dueAt: new Date(now().getTime() + againMs), error: claim.lastError };
    return outcome;
  }

  async function run(job: RecurringJob, claim: JobClaim): Promise<void> {
    try {
      const until = await attempt(job, claim);
      await retryWrite(() => store.postponeJob(claim, until));
    } catch (err) {
      // Its lease ends, and it is done again.
      log.error({ event: 'job not recorded', reason: kindOf(job.key), err });
    }
  }

  /** Starts what is due. */
  async function startDue(): Promise<void> {
    const isClockRight = checkClock(await store.findTimes()) === null;
    const ready = jobs.filter(({ key, byAnyClock }) => !running.has(key) && (isClockRight || byAnyClock));
    if (ready.length === 0) return;
    for (const job of ready) await schedule(job);
    const keys = ready.map(({ key }) => key);
    const which = { kinds: [...new Set(keys.map(kindOf))], keys, limit: keys.length, leaseMs, longestMs };
    for (const claim of await store.claimJobs(which, now())) {
      const job = ready.find(({ key }) => key === claim.key);
      if (!job) continue;
      running.set(
        claim.key,
        run(job, claim).finally(() => running.delete(claim.key)),
      );
    }
  }

  async function poll(): Promise<void> {
    try {
      await startDue();
      if (isAway) log.info({ event: 'jobs read again' });
      isAway = false;
    } catch (error) {
      // Said once; that the database is away is said elsewhere too.
      if (!(error instanceof StoreUnavailable)) throw error;
      if (!isAway) log.error({ event: 'jobs not read', err: error });
      isAway = true;
    }
  }

  const settled = () => Promise.allSettled(running.values());
  return {
    /** Does what is due, and waits for it. */
    async runDue(): Promise<void> {
      await startDue();
      await settled();
    },
    start() {
      stopPolling = runEvery(pollMs, poll, (err) => log.error({ event: 'jobs not read', err }));
    },
    async stop() {
      const stopped = stopPolling().then(settled);
      await Promise.race([stopped, setTimeout(shutdownGraceMs, undefined, { ref: false })]);
    },
  };
}
