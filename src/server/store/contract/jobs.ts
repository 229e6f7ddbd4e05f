/**
 * A stored time further ahead than this was written by a clock that was wrong and has been corrected. The time counts as
 * passed, or a request would wait for days. Twice the longest wait there is, since the clocks of several servers differ.
 */
const plausibleMs = 30 * 60_000;
/** Twice as long is implausible. */
export const longestLeaseMs = plausibleMs / 2;

export function latestPlausible(now: Date): Date {
  return new Date(now.getTime() + plausibleMs);
}

/** Something that must happen later, once for all servers. */
export interface Job {
  kind: string;
  /** Two jobs with the same key are one. */
  key: string;
  dueAt: Date;
  /** Lower first among those that are due; 0 if not given. */
  rank?: number;
  /** The submission that it is about, with which it is deleted. */
  reference?: string | null;
}

export interface JobClaim extends Job {
  rank: number;
  reference: string | null;
  /** How often it was done: postponed with `isDone`. */
  done: number;
  /** Attempts so far, with this one. */
  attempts: number;
  lastError: string | null;
  /** Also a fencing token. */
  leasedUntil: Date;
  /** It was claimed in the local fallback. */
  isLocal?: true;
}

export interface DueJobs {
  kinds: readonly string[];
  /** How far ahead such a job may be due. One that is due later counts as due: a wrong clock wrote it. */
  longestMs: number;
  /** Only of submissions that nobody has taken or answered, or that have reached nobody, and never withdrawn ones. The others wait, because a step can be undone. */
  only?: 'untaken' | 'unreached';
}

interface JobChoice extends DueJobs {
  /** Only these, if given. Other servers may have others of the kinds. */
  keys?: readonly string[];
  limit: number;
  /** The oldest first, whatever their rank. What is doubted comes last all the same. */
  oldestFirst?: boolean;
  /** A server that has not settled the claim by then has lost it. At most a quarter of an hour: a longer one looks like the work of a wrong clock. */
  leaseMs: number;
}

export interface Postponed {
  dueAt: Date;
  error?: string | null;
  /** Those of the claim, if not given. */
  attempts?: number;
  rank?: number;
  kind?: string;
  isDone?: boolean;
}

interface FailingJobs {
  /** Jobs that were tried and failed. */
  failing: number;
  lastError: string | null;
}

export interface Jobs {
  /** Does nothing if there is such a job. */
  addJob(job: Job): Promise<void>;
  /** Takes the place of a job with the same key, which may be leased. False if its submission is not here. */
  replaceJob(job: Job & { reference: string }): Promise<boolean>;
  /** Adds the job, or makes it due earlier. Never later, and not while a server has it. */
  scheduleJob(job: Job, now: Date): Promise<void>;
  /** How many are due, and no server has them. */
  countJobs(which: DueJobs, now: Date): Promise<number>;
  /** Leases jobs that are due: the lowest rank first, then the oldest. No two servers have a lease of the same job. */
  claimJobs(which: JobChoice, now: Date): Promise<JobClaim[]>;
  /** Deletes the job. Like {@link postponeJob} it resolves to false, and changes nothing, if the lease is no longer the one of this claim. */
  completeJob(claim: JobClaim): Promise<boolean>;
  postponeJob(claim: JobClaim, until: Postponed): Promise<boolean>;
  /** As if it had not been claimed. */
  releaseJob(claim: JobClaim): Promise<boolean>;
  /** Makes those that are due, of this rank or a higher one, due at `dueAt`. */
  deferJobs(which: DueJobs & { fromRank: number }, dueAt: Date, now: Date): Promise<void>;
  findFailing(kinds: readonly string[]): Promise<FailingJobs>;
  findJob(key: string): Promise<Pick<JobClaim, 'dueAt' | 'lastError'> | null>;
}

/** Something that happens at most so often, whatever asks for it, and by one server. */
export interface Gate {
  name: string;
  everyMs: number;
  leaseMs: number;
}

/** What a gate needs of the jobs. */
export type Gates = Pick<Jobs, 'addJob' | 'claimJobs' | 'postponeJob'>;

const kind = 'gate';
export const isGate = (one: string): boolean => one === kind;

/** Null if it happened less than `everyMs` ago, or if another server is doing it. */
export async function passGate(jobs: Gates, gate: Gate, now: Date): Promise<JobClaim | null> {
  const key = `${kind}:${gate.name}`;
  await jobs.addJob({ kind, key, dueAt: now });
  const which = { kinds: [kind], keys: [key], limit: 1, leaseMs: gate.leaseMs, longestMs: gate.everyMs };
  return (await jobs.claimJobs(which, now))[0] ?? null;
}

/** It has happened. A gate that is not closed may be passed again when its lease ends. */
export const closeGate = (
  jobs: Pick<Jobs, 'postponeJob'>,
  claim: JobClaim,
  { everyMs }: Gate,
  now: Date,
): Promise<boolean> => jobs.postponeJob(claim, { dueAt: new Date(now.getTime() + everyMs) });
