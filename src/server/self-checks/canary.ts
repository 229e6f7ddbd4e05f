import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Alert } from '../delivery/notices/staff-alert.ts';
import type { CanaryState, CanaryStore } from '../store/contract/canary.ts';
import type { Delivery } from '../store/contract/submission.ts';
import { lastNzTimeOfDay } from '../time/nz-time.ts';
import { runEvery } from '../time/run-every.ts';
import type { CanaryMarks } from './canary-mark.ts';
import { CanaryFailed, SiteAway, visitAsCanary, WentAstray } from './canary-visit.ts';

export const canaryDefaults = {
  /** How often to look whether it is time. */
  lookMs: 30_000,
  /** Its mail may wait this long behind others. */
  mailMs: 5 * 60_000,
  /** What one server kept, all see after this long, also where it was in its own file for a moment. */
  keptMs: 15_000,
  pollMs: 500,
  /** What stops it goes first: a restart, a line that is down for a moment. */
  againMs: 5 * 60_000,
  /** From then on, until one gets through. */
  stillMs: 15 * 60_000,
  /** A server that died has left it to others after this. Longer than the longest try. */
  leaseMs: 10 * 60_000,
  /** What such a server left behind. */
  leftMs: 60 * 60_000,
  /** Its last words when the server closes. */
  stopMs: 3_000,
};

/** Once a day, with room for one that is tried again. */
const silentMs = 26 * 60 * 60_000;

interface Failure {
  reason: string;
  /** The website could not be reached at its address; by which code, for the log. */
  away?: string | undefined;
  wentAstray: boolean;
}

/** What is told of only after it has happened twice in a row. */
const failuresUntilTold = 2;

export interface CanaryParts {
  store: CanaryStore;
  /** The time of day in New Zealand, or null where none is sent. What others left is erased all the same. */
  at: string | null;
  /** Known once the server listens. */
  url: () => string;
  marks: CanaryMarks;
  /** Tells a watchdog of each success. */
  beat: (stopping: AbortSignal) => Promise<void>;
  alertStaff: (alarm: Alert, problem: string) => Promise<unknown>;
  now: () => Date;
  log: Pick<Logger, 'info' | 'warn' | 'error'>;
  options?: Partial<typeof canaryDefaults>;
}

export interface Canary {
  start(): void;
  /** One that is on its way is erased, and left to the next start. */
  stop(): Promise<void>;
  /** Erases what is left over, and sends one where it is time. */
  round(): Promise<void>;
  /** What is wrong since the last that got through, for /health/deliveries. */
  findProblem(): Promise<string | null>;
  /** How the last ones went; null where none is sent. */
  readState(): Promise<CanaryState | null>;
}

/** The request that the site sends itself once a day, to see that one would reach staff: in by the door, out by mail, gone. */
export function createCanary(parts: CanaryParts): Canary {
  const { store, at, url, marks, beat, alertStaff, now, log } = parts;
  const bounds = { ...canaryDefaults, ...parts.options };
  const stopping = new AbortController();
  const begun = now();
  let stopRounds = async () => {};

  async function round(): Promise<void> {
    await eraseLeftovers();
    if (at === null) return;
    const due = lastNzTimeOfDay(now(), at);
    const state = await store.claimCanary(now(), due, bounds.leaseMs);
    if (state === null) return;
    const started = performance.now();
    const failure = await tryOne().catch(explain);
    // Told by nobody: it was not to be.
    if (stopping.signal.aborted) return store.settleCanary({ ...state, tryAt: null });
    const ms = Math.round(performance.now() - started);
    await (failure === null ? succeed(state, due, ms) : fail(state, due, failure, ms));
  }

  async function eraseLeftovers(): Promise<void> {
    const before = new Date(now().getTime() - bounds.leftMs);
    const count = await store.eraseCanaries({ before, now: now() });
    if (count > 0) log.info({ event: 'canary left over was erased', count });
  }

  /** Whoever has it in hand is the only one, so all there are may go: what another left, and afterwards this one. */
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
    // Not scrubbed, which makes whoever sends something wait: its words are nobody's.
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
      // Not waited for: each further try may be one more wrong password, and too many of these lock people's mail out.
      if (lastError) throw new CanaryFailed(`its mail was not taken: ${lastError}`);
      const waited = performance.now() - started;
      if (!known && waited > bounds.keptMs) throw new WentAstray('it got a receipt and was not kept');
      if (waited > bounds.mailMs) throw new CanaryFailed('its mail waits for too long');
      await setTimeout(bounds.pollMs, undefined, { signal: stopping.signal });
    }
  }

  /** Of what was not foreseen, such as a database that goes away meanwhile, the log has the rest. */
  function explain(err: unknown): Failure {
    if (err instanceof CanaryFailed)
      return {
        reason: err.message,
        away: err instanceof SiteAway ? err.code : undefined,
        wentAstray: err instanceof WentAstray,
      };
    if (!stopping.signal.aborted) log.error({ event: 'canary broken off', err });
    return { reason: 'the database could not be asked about it', wentAstray: false };
  }

  async function succeed(state: CanaryState, due: Date, ms: number): Promise<void> {
    const { failedAt } = state;
    const succeededAt = now();
    const done = { triedFor: due, tryAt: null, failures: 0, problem: null };
    await store.settleCanary({ ...done, succeededAt, failedAt });
    log.info({ event: 'canary got through', ms });
    await beat(stopping.signal);
  }

  async function fail(state: CanaryState, due: Date, failure: Failure, ms: number): Promise<void> {
    const { reason, away, wentAstray } = failure;
    const lasts = wentAstray || state.failures + 1 >= failuresUntilTold;
    const failedAt = now();
    const later = new Date(failedAt.getTime() + (lasts ? bounds.stillMs : bounds.againMs));
    // One that may have reached staff as a person's is not tried again today.
    const [failures, tryAt] = wentAstray ? [0, null] : [state.failures + 1, later];
    const words = away
      ? `at its daily test ${reason}`
      : `the website’s daily test did not get through: ${reason}`;
    const problem = lasts ? words : null;
    const logged = away ? `${reason}: ${away}` : reason;
    log.error({ event: 'canary did not get through', reason: logged, attempts: failures, ms });
    await store.settleCanary({ ...state, triedFor: due, tryAt, failures, failedAt, problem });
    if (problem !== null) await alertStaff(away ? 'away' : 'canary', problem);
  }

  const readState = async () => (at === null ? null : store.readCanary());

  return {
    round,
    start() {
      const failed = (err: unknown) => log.error({ event: 'canary not sent', err });
      stopRounds = runEvery(bounds.lookMs, round, failed);
    },
    async stop() {
      stopping.abort();
      await Promise.race([stopRounds(), setTimeout(bounds.stopMs, undefined, { ref: false })]);
    },
    async findProblem() {
      const state = await readState().catch(() => null);
      if (state === null || state.problem !== null) return state?.problem ?? null;
      // Whatever keeps it from being sent at all, it is not sent.
      const last = Math.max(state.succeededAt?.getTime() ?? 0, begun.getTime());
      return now().getTime() - last > silentMs
        ? 'the website’s daily test has not got through for more than a day'
        : null;
    },
    readState,
  };
}
