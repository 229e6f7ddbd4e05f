import { ignoreUnavailable, StoreUnavailable } from '../contract/errors.ts';
import { isGate, type JobClaim, type Jobs } from '../contract/jobs.ts';
import type { Times } from '../contract/times.ts';
import type { SharedDatabase } from './shared-database.ts';

/** Jobs are in the shared database alone, and wait while it is away. Gates are each server's own then. */
export function joinJobs(shared: SharedDatabase, fallback: Jobs): Jobs {
  /** A claim is settled where it was made. */
  const ownClaims = new WeakSet<JobClaim>();
  const isOwn = (kinds: readonly string[]) => shared.isAway && kinds.every(isGate);
  const use = <T>(ownOnes: boolean, work: (jobs: Jobs) => Promise<T>) =>
    ownOnes ? work(fallback) : shared.use(work);
  return {
    addJob: (job) => use(isOwn([job.kind]), (jobs) => jobs.addJob(job)),
    scheduleJob: (job, now) => use(isOwn([job.kind]), (jobs) => jobs.scheduleJob(job, now)),
    async claimJobs(which, now) {
      const own = isOwn(which.kinds);
      const claims = await use(own, (jobs) => jobs.claimJobs(which, now));
      if (own) for (const claim of claims) ownClaims.add(claim);
      return claims;
    },
    completeJob: (claim) => use(ownClaims.has(claim), (jobs) => jobs.completeJob(claim)),
    postponeJob: (claim, until) => use(ownClaims.has(claim), (jobs) => jobs.postponeJob(claim, until)),
    findJob: (key) => shared.use((jobs) => jobs.findJob(key)),
  };
}

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
      const own = await fallback.findTime(name).catch(ignoreUnavailable(null));
      const rest = await shared.use((store) => store.findTime(name));
      return own && rest && own > rest ? own : (rest ?? own);
    },
  };
}
