import type { Archive } from '../contract/archive.ts';
import { ignoreUnavailable, StoreUnavailable } from '../contract/errors.ts';
import { isGate, type JobClaim, type Jobs } from '../contract/jobs.ts';
import { isOfSubmission } from '../contract/submission-jobs.ts';
import type { Times } from '../contract/times.ts';
import type { SharedDatabase } from './shared-database.ts';

/** A request that may be in both databases waits this long: by then a transfer has decided which database has its jobs. */
const postponeMs = 2_000;

interface JobsParts {
  shared: SharedDatabase;
  fallback: Jobs & Pick<Archive, 'findSubmissions'>;
  isFallbackInUse: () => boolean;
  /** Whether the shared database may have this submission of the fallback too, because its reply to the write was lost. */
  mayBeInBoth: (reference: string) => boolean;
}

/**
 * A job of a submission is in the database that has it, and is done from both. The others are in the shared database alone,
 * and wait while it is away. Gates are each server's own then.
 */
export function joinJobs({ shared, fallback, isFallbackInUse, mayBeInBoth }: JobsParts): Jobs {
  const areLocal = (kinds: readonly string[]) => shared.isAway && kinds.every(isGate);
  const ask = <T>(isLocal: boolean, work: (jobs: Jobs) => Promise<T>) =>
    isLocal ? work(fallback) : shared.use(work);
  const isInBoth = (kinds: readonly string[]) => kinds.every(isOfSubmission);

  /** The fallback's first: it has few, and has them for minutes. `local` is what it gave. */
  async function askBoth<T>(
    none: T,
    work: (jobs: Jobs, local: T) => Promise<T>,
    isEmpty: (local: T) => boolean,
  ): Promise<{ local: T; rest: T }> {
    const local = isFallbackInUse() ? await work(fallback, none).catch(ignoreUnavailable(none)) : none;
    if (shared.isAway) return { local, rest: none };
    const asked = shared.use((jobs) => work(jobs, local));
    // What was claimed in the fallback must be done, also if the shared database has just gone away.
    return { local, rest: await (isEmpty(local) ? asked : asked.catch(ignoreUnavailable(none))) };
  }

  /** In the fallback, or in the shared database if the submission has been transferred meanwhile. */
  const settle = async (claim: JobClaim, work: (jobs: Jobs) => Promise<boolean>) =>
    claim.isLocal ? (await work(fallback)) || (!shared.isAway && (await shared.use(work))) : shared.use(work);

  /** Without those of submissions that the other database may have too. These are due a little later. */
  async function withoutDoubles(local: JobClaim[], rest: JobClaim[], now: Date): Promise<JobClaim[]> {
    const there = isFallbackInUse()
      ? await fallback
          .findSubmissions(rest.flatMap(({ reference }) => reference ?? []))
          .catch(ignoreUnavailable([]))
      : [];
    const isHereToo = new Set(there.map(({ reference }) => reference));
    const isDouble = ({ reference, isLocal }: JobClaim) =>
      reference !== null && (isLocal ? !shared.isAway && mayBeInBoth(reference) : isHereToo.has(reference));
    const all = [...local, ...rest];
    const dueAt = new Date(now.getTime() + postponeMs);
    for (const one of all.filter(isDouble))
      await settle(one, (jobs) => jobs.postponeJob(one, { dueAt, error: one.lastError }));
    return all.filter((one) => !isDouble(one));
  }

  return {
    addJob: (job) => ask(areLocal([job.kind]), (jobs) => jobs.addJob(job)),
    replaceJob: async (job) =>
      (isFallbackInUse() && (await fallback.replaceJob(job).catch(ignoreUnavailable(false)))) ||
      shared.use((jobs) => jobs.replaceJob(job)),
    scheduleJob: (job, now) => ask(areLocal([job.kind]), (jobs) => jobs.scheduleJob(job, now)),
    async countJobs(which, now) {
      const count = (jobs: Jobs) => jobs.countJobs(which, now);
      if (!isInBoth(which.kinds)) return ask(areLocal(which.kinds), count);
      const { local, rest } = await askBoth(0, count, (one) => one === 0);
      return local + rest;
    },
    async claimJobs(which, now) {
      if (!isInBoth(which.kinds)) {
        const isLocal = areLocal(which.kinds);
        const claims = await ask(isLocal, (jobs) => jobs.claimJobs(which, now));
        return isLocal ? claims.map(asLocal) : claims;
      }
      // No more from both than from one.
      const claim = async (jobs: Jobs, taken: JobClaim[]) => {
        const limit = which.limit - taken.length;
        return limit > 0 ? jobs.claimJobs({ ...which, limit }, now) : [];
      };
      const { local, rest } = await askBoth([], claim, (some) => some.length === 0);
      const all = await withoutDoubles(local.map(asLocal), rest, now);
      return all.toSorted((one, other) => one.rank - other.rank);
    },
    completeJob: (claim) => settle(claim, (jobs) => jobs.completeJob(claim)),
    postponeJob: (claim, until) => settle(claim, (jobs) => jobs.postponeJob(claim, until)),
    releaseJob: (claim) => settle(claim, (jobs) => jobs.releaseJob(claim)),
    async deferJobs(which, dueAt, now) {
      const defer = (jobs: Jobs) => jobs.deferJobs(which, dueAt, now);
      if (isFallbackInUse()) await defer(fallback).catch(ignoreUnavailable(undefined));
      if (!shared.isAway) await shared.use(defer);
    },
    async findFailing(kinds) {
      const find = (jobs: Jobs) => jobs.findFailing(kinds);
      const none = { failing: 0, lastError: null };
      const { local, rest } = await (isInBoth(kinds)
        ? askBoth(none, find, () => false)
        : { local: none, rest: shared.isAway ? none : await shared.use(find) });
      return { failing: local.failing + rest.failing, lastError: local.lastError ?? rest.lastError };
    },
    findJob: (key) => shared.use((jobs) => jobs.findJob(key)),
  };
}

const asLocal = (claim: JobClaim): JobClaim => ({ ...claim, isLocal: true });

/** A time may be in either database: staff may press a button while the shared one is away. */
export function joinTimes(shared: SharedDatabase, fallback: Times): Times {
  return {
    recordTime: (name, at) =>
      shared
        .use((store) => store.recordTime(name, at))
        .catch((error) => {
          if (!(error instanceof StoreUnavailable)) throw error;
          return fallback.recordTime(name, at);
        }),
    async findTime(name) {
      const local = await fallback.findTime(name).catch(ignoreUnavailable(null));
      const rest = await shared.use((store) => store.findTime(name));
      return local && rest && local > rest ? local : (rest ?? local);
    },
  };
}
