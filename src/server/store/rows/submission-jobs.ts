import type { FormName } from '../../../model/form-field.ts';
import { changedKind } from '../contract/changes.ts';
import { headStartMs, type MailKind, mailKinds, refusedMs } from '../contract/mail-jobs.ts';
import {
  doubtfulRank,
  escalateAfterMs,
  escalateKind,
  onceKinds,
  remindAfterMs,
  reminderKind,
  reminderReaders,
  type SubmissionJobKind,
} from '../contract/submission-jobs.ts';
import { isClean } from './conditions.ts';
import type { Dialect } from './sql.ts';

/** A job of a submission, as it is inserted with it and as it crosses databases. Its key is its name and the reference. */
export interface SubmissionJob {
  kind: SubmissionJobKind;
  name: string;
  dueAt: string;
  rank: number;
  attempts?: number;
  done?: number;
  error?: string | null;
}

/** A damaged time counts as now. */
const later = (at: string, ms: number) => new Date((Date.parse(at) || Date.now()) + ms).toISOString();

/** $1: the submission, $2: its reference, $3: its jobs. What is there already stays. */
export const insertJobs = ({ readJobs }: Dialect): string => `
  INSERT INTO jobs (kind, key, submission, due_at, rank, attempts, done, last_error)
  SELECT kind, name || ':' || $2, $1, due_at, rank, attempts, done, error FROM ${readJobs('$3')} WHERE true
  ON CONFLICT (key) DO NOTHING`;

/** While nobody has taken it, staff are reminded. */
export const remindersOf = (form: FormName, dueAt: string, rank: number, done = 0): SubmissionJob[] =>
  reminderReaders.map((readers) => ({
    ...{ kind: reminderKind(readers, form), name: `remind ${readers}`, dueAt, rank, done },
  }));

export const escalationOf = (receivedAt: string, rank: number): SubmissionJob => ({
  ...{ kind: escalateKind, name: 'escalate', dueAt: later(receivedAt, escalateAfterMs), rank },
});

export const alertOf = (dueAt: string, rank: number): SubmissionJob => ({
  ...{ kind: 'alert', name: 'alert', dueAt, rank },
});

interface Mail {
  dueAt: Date;
  urgent: boolean;
  rank: number;
  kind?: MailKind | undefined;
  attempts?: number;
  error?: string | null;
}

export function mailOf({ dueAt, urgent, kind = mailKinds.new, ...mail }: Mail): SubmissionJob {
  const early = kind === mailKinds.new && urgent ? headStartMs : 0;
  return { ...mail, kind, name: 'mail', dueAt: new Date(dueAt.getTime() - early).toISOString() };
}

/**
 * The other database has the same submission, and has done some of its jobs: its alert and escalation, or more reminders
 * than are known here. $1: the submission, $2: its reference, $3: its jobs there.
 */
export const mergeJobs = ({ readJobs }: Dialect): string[] => [
  `DELETE FROM jobs WHERE submission = $1 AND kind IN (${onceKinds.map((kind) => `'${kind}'`)})
    AND key NOT IN (SELECT name || ':' || $2 FROM ${readJobs('$3')})`,
  `UPDATE jobs SET due_at = job.due_at, rank = job.rank, done = job.done FROM ${readJobs('$3')}
    WHERE jobs.submission = $1 AND jobs.key = job.name || ':' || $2 AND jobs.done < job.done`,
];

/** A submission as an earlier version stored it, or as it is found without its jobs. */
interface Without {
  form: FormName;
  receivedAt: string;
  urgent: boolean;
  rank?: number;
  verdict: string;
  canary?: boolean;
  deliveredAt: string | null;
  takenAt: string | null;
  answeredAt: string | null;
  changes?: string;
}

/** The fields in which an earlier version had what its jobs are now. */
export interface Before {
  [name: string]: unknown;
}

/** The jobs that a submission would have. Better mailed twice than never. */
function jobsOf(row: Without, before: Before = {}): SubmissionJob[] {
  const { form, receivedAt, urgent, rank = 1, verdict, canary, deliveredAt, takenAt, answeredAt } = row;
  const mail = deliveredAt ? [] : [mailBefore(row, before)];
  if (canary) return mail;
  const changed = { kind: changedKind, name: changedKind, dueAt: later(receivedAt, 0), rank: 0 };
  const place = rank + (isClean(verdict) ? 0 : doubtfulRank);
  const { alertAt, escalatedAt, remindAt, reminders } = before;
  const dueAt = String(remindAt ?? later(receivedAt, remindAfterMs));
  return [
    ...mail,
    ...(row.changes ? [changed] : []),
    ...(alertAt && !takenAt && !answeredAt ? [alertOf(String(alertAt), place)] : []),
    ...(urgent && !escalatedAt ? [escalationOf(receivedAt, place)] : []),
    ...(urgent ? remindersOf(form, dueAt, place, Number(reminders) || 0) : []),
  ];
}

function mailBefore({ receivedAt, urgent, rank = 1 }: Without, before: Before): SubmissionJob {
  const attempts = Number(before.attempts) || 0;
  const tried = attempts > 0 ? mailKinds.again : mailKinds.new;
  const held = before.parkedAt ? mailKinds.heldRefused : mailKinds.held;
  const kind = before.held ? held : before.parkedAt ? mailKinds.refused : tried;
  const dueAt = before.parkedAt
    ? later(String(before.parkedAt), refusedMs)
    : later(String(before.nextAttemptAt ?? receivedAt), 0);
  const error = (before.lastError ?? null) as string | null;
  return mailOf({ dueAt: new Date(dueAt), urgent, rank, kind, attempts, error });
}

/** In JSON. A submission that no mail server has accepted has a mail job, whatever else was lost. */
export function completeJobs(row: Without, jobs: unknown, before: Before = {}): string {
  const known = readJobs(jobs);
  if (known === null) return JSON.stringify(jobsOf(row, before));
  const isMailed = row.deliveredAt !== null || known.some(({ name }) => name === 'mail');
  return JSON.stringify(isMailed ? known : [...known, mailBefore(row, before)]);
}

/** The duty to mail what was said in the other database: better mailed twice than never. */
export const onlyChanged = (jobs: unknown): string =>
  JSON.stringify((readJobs(jobs) ?? []).filter(({ kind }) => kind === changedKind));

function readJobs(text: unknown): SubmissionJob[] | null {
  try {
    const found = JSON.parse(String(text ?? null));
    return Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}
