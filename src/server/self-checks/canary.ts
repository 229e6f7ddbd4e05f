import { setTimeout } from 'node:timers/promises';
import type { Alert } from '../delivery/notices/staff-alert.ts';
import type { Outcome, RecurringJob } from '../jobs/recurring-jobs.ts';
import type { Log } from '../log/log.ts';
import type { CanaryStore } from '../store/contract/canary-store.ts';
import { StoreUnavailable } from '../store/contract/errors.ts';
import type { JobClaim, Jobs } from '../store/contract/jobs.ts';
import type { Delivery } from '../store/contract/submission.ts';
import type { Times } from '../store/contract/times.ts';
import { lastNzTimeOfDay, nextNzTimeOfDay } from '../time/nz-time.ts';
import type { Timer } from '../time/run-every.ts';
import type { CanaryMarks } from './canary-mark.ts';
import { CanaryFailed, SiteAway, visitAsCanary, WentAstray } from './canary-visit.ts';

const canaryDefaults = {
  /** How long the canary's mail may wait behind others. */
  mailMs: 5 * 60_000,
  /** What one server stored, all servers see after this long, even where it went through the local fallback. */
  storedMs: 15_000,
  pollMs: 500,
  /** After the first failure: a restart or a short outage has passed by then. */
  retryMs: 5 * 60_000,
  /** After each further failure, until a canary gets through. */
  laterRetryMs: 15 * 60_000,
  /** A canary of this age belongs to a server that died, and is erased. */
  leftoverMs: 60 * 60_000,
};

/** How often leftovers of other servers are looked for. */
const leftoverEveryMs = 10 * 60_000;

/** Without a success for this long there is a problem: a day, and two hours for retries. */
const silentMs = 26 * 60 * 60_000;

interface Failure {
  reason: string;
  /** The code, for the log, where the website did not answer at its address. */
  away?: string | undefined;
  /** The canary may have reached staff as a person's request. */
  wentAstray: boolean;
}

/** When the last canary got through. */
interface CanaryTimes {
  succeededAt: Date | null;
}

/** The key of its job, whose attempts are its failures in a row. Its error is what is wrong, until a canary gets through. */
const key = 'canary';

/** Staff are alerted after so many failures in a row. */
const failuresUntilAlert = 2;

export interface CanaryParts {
  store: CanaryStore & Times & Pick<Jobs, 'findJob'>;
  /** The time of day in New Zealand. Null: no canary is sent, and only leftovers of other servers are erased. */
  at: string | null;
  /** A function: the port is known once the server listens. */
  url: () => string;
  marks: CanaryMarks;
  /** Tells a watchdog of each success. */
  sendHeartbeat: (stopping: AbortSignal) => Promise<void>;
  alertStaff: (alert: Alert, problem: string) => Promise<unknown>;
  now: () => Date;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  options?: Partial<typeof canaryDefaults>;
}

/** Once a day the site sends itself a request as a visitor would, waits for its mail, and erases the request. */
export function createCanary(parts: CanaryParts) {
  const { store, at, url, marks, sendHeartbeat, alertStaff, now, log } = parts;
  const bounds = { ...canaryDefaults, ...parts.options };
  const stopping = new AbortController();
  const startedAt = now();

  async function send(at: string, claim: JobClaim): Promise<Outcome> {
    const started = performance.now();
    const failure = await tryOne().catch(explain);
    // Shutting down: as if it had not been claimed.
    if (stopping.signal.aborted)
      return { dueAt: claim.dueAt, error: claim.lastError, attempts: claim.attempts - 1 };
    const ms = Math.round(performance.now() - started);
    if (failure !== null) return fail(at, claim.attempts, failure, ms);
    await store.recordTime(key, now());
    log.info({ event: 'canary succeeded', ms });
    await sendHeartbeat(stopping.signal);
    return 'done';
  }

  async function eraseLeftovers(): Promise<void> {
    const before = new Date(now().getTime() - bounds.leftoverMs);
    const count = await store.eraseCanaries({ before, now: now() });
    if (count > 0) log.info({ event: 'old canary erased', count });
  }

  /** Only the holder of the lease gets here, so that every canary in the database may be erased, before and after. */
  async function tryOne(): Promise<null> {
    await eraseAll();
    try {
      const reference = await visitAsCanary({ url: url(), marks, signal: stopping.signal });
      await waitUntilMailed(reference);
    } catch (error) {
      await eraseAll().catch((err) => log.error({ event: 'canary not erased', err }));
      throw error;
    }
    await eraseAll();
    return null;
  }

  async function eraseAll(): Promise<void> {
    // Not scrubbed, which would make visitors wait: a canary holds nobody's words.
    try {
      await store.eraseCanaries('all');
    } catch {
      throw new CanaryFailed('it could not be erased');
    }
  }

  async function waitUntilMailed(reference: string): Promise<void> {
    const started = performance.now();
    let known: Delivery | null = null;
    for (;;) {
      known = (await store.findCanary(reference)) ?? known;
      if (known?.deliveredAt) return;
      const { parkedAt, lastError } = known ?? {};
      if (parkedAt) throw new CanaryFailed(`its mail was refused: ${lastError}`);
      // No retry is awaited: each may be one more wrong password, and too many of them lock the account.
      if (lastError) throw new CanaryFailed(`its mail was not taken: ${lastError}`);
      const waited = performance.now() - started;
      if (!known && waited > bounds.storedMs) throw new WentAstray('it got a receipt and was not kept');
      if (waited > bounds.mailMs) throw new CanaryFailed('its mail waits for too long');
      await setTimeout(bounds.pollMs, undefined, { signal: stopping.signal });
    }
  }

  /** The log has the details of an unexpected error, such as a database that goes away meanwhile. */
  function explain(err: unknown): Failure {
    if (err instanceof CanaryFailed)
      return {
        reason: err.message,
        away: err instanceof SiteAway ? err.code : undefined,
        wentAstray: err instanceof WentAstray,
      };
    if (!stopping.signal.aborted) log.error({ event: 'canary interrupted', err });
    return { reason: 'the database could not be asked about it', wentAstray: false };
  }

  async function fail(at: string, attempts: number, failure: Failure, ms: number): Promise<Outcome> {
    const { reason, away, wentAstray } = failure;
    const isProblem = wentAstray || attempts >= failuresUntilAlert;
    const words = away
      ? `at its daily test ${reason}`
      : `the website’s daily test did not get through: ${reason}`;
    const problem = isProblem ? words : null;
    const logged = away ? `${reason}: ${away}` : reason;
    log.error({ event: 'canary failed', reason: logged, attempts, ms });
    if (problem !== null) await alertStaff(away ? 'away' : 'canary', problem);
    // A canary that may have reached staff as a person's request is not retried today.
    if (wentAstray) return { dueAt: nextNzTimeOfDay(now(), at), error: problem, attempts: 0 };
    const retryMs = isProblem ? bounds.laterRetryMs : bounds.retryMs;
    return { dueAt: new Date(now().getTime() + retryMs), error: problem };
  }

  /** What was last known, while the database is away. */
  let known: CanaryTimes & { problem: string | null } = { succeededAt: null, problem: null };
  async function readState() {
    if (at === null) return null;
    try {
      const succeededAt = await store.findTime(key);
      known = { succeededAt, problem: (await store.findJob(key))?.lastError ?? null };
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
    }
    return known;
  }

  const recurring: RecurringJob[] =
    at === null
      ? []
      : [
          {
            key,
            failed: 'canary not sent',
            last: (moment) => lastNzTimeOfDay(moment, at),
            next: (moment) => nextNzTimeOfDay(moment, at),
            isDueAtFirst: true,
            byAnyClock: true,
            run: (_due, claim) => send(at, claim),
          },
        ];

  return {
    recurring,
    eraseLeftovers,
    timer: {
      everyMs: leftoverEveryMs,
      run: eraseLeftovers,
      failed: 'canary not erased',
      isAwaited: true,
    } satisfies Timer,
    /** Erases a canary that is under way; the next start sends another. */
    stop: () => stopping.abort(),
    /** What has gone wrong since the last canary that got through, for /health/deliveries. */
    async findProblem(): Promise<string | null> {
      const state = await readState().catch(() => null);
      if (state === null || state.problem !== null) return state?.problem ?? null;
      // Nothing has failed, and no canary was sent either.
      const last = Math.max(state.succeededAt?.getTime() ?? 0, startedAt.getTime());
      return now().getTime() - last > silentMs
        ? 'the website’s daily test has not got through for more than a day'
        : null;
    },
    readTimes: (): Promise<CanaryTimes | null> => readState(),
  };
}
