/**
 * A stored time further ahead than this was written by a clock that was wrong and has been corrected. The time counts as
 * passed, or a request would wait for days. Twice the longest wait there is, since the clocks of several servers differ.
 */
export const plausibleMs = 30 * 60_000;

export function latestPlausible(now: Date): Date {
  return new Date(now.getTime() + plausibleMs);
}

/** Something that one of several servers does for all of them. A server that has not finished after `leaseMs` loses the lease. */
type Job = { name: string; leaseMs: number } & (
  | { /** Due when it was last finished this long ago. */ everyMs: number }
  | {
      /** Due at this moment, on which all servers agree. The first such moment that a database sees is skipped. */ due: Date;
    }
);

export interface Leases {
  /** True for one server only, however many ask, until the job is finished or the lease has ended. */
  claimLease(job: Job, now: Date): Promise<boolean>;
  finishLease(job: Job, now: Date): Promise<void>;
}
