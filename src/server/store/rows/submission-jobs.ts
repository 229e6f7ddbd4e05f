import type { FormName } from '../../../model/form-field.ts';
import {
  doubtfulRank,
  escalateAfterMs,
  escalateKind,
  remindAfterMs,
  reminderKind,
  reminderReaders,
} from '../contract/submission-jobs.ts';
import { isClean } from './conditions.ts';
import type { Dialect } from './sql.ts';

/** A job of a submission, as it is inserted with it and as it crosses databases. Its key is its name and the reference. */
export interface SubmissionJob {
  kind: string;
  name: string;
  dueAt: string;
  rank: number;
  attempts?: number;
  error?: string | null;
}

/** A damaged time counts as now. */
const later = (at: string, ms: number) => new Date((Date.parse(at) || Date.now()) + ms).toISOString();

/** $1: the submission, $2: its reference, $3: its jobs. What is there already stays. */
export const insertJobs = ({ readJobs }: Dialect): string => `
  INSERT INTO jobs (kind, key, submission, due_at, rank, attempts, last_error)
  SELECT kind, name || ':' || $2, $1, due_at, rank, attempts, error FROM ${readJobs('$3')} WHERE true
  ON CONFLICT (key) DO NOTHING`;

/** Nobody has taken it, so staff are reminded. */
export const remindersOf = (form: FormName, dueAt: string, rank: number, attempts = 0): SubmissionJob[] =>
  reminderReaders.map((readers) => ({
    ...{ kind: reminderKind(readers, form), name: `remind ${readers}`, dueAt, rank, attempts },
  }));

export const escalationOf = (receivedAt: string, rank: number): SubmissionJob => ({
  ...{ kind: escalateKind, name: 'escalate', dueAt: later(receivedAt, escalateAfterMs), rank },
});

export const alertOf = (dueAt: string, rank: number): SubmissionJob => ({
  ...{ kind: 'alert', name: 'alert', dueAt, rank },
});

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
}

/** The jobs that a submission would have. Better reminded twice than never. */
export function jobsOf(
  row: Without,
  before: { [Name in 'alertAt' | 'escalatedAt' | 'remindAt' | 'reminders']?: unknown },
): string {
  const { form, receivedAt, urgent, rank = 1, verdict, canary, deliveredAt, takenAt, answeredAt } = row;
  if (canary || takenAt || answeredAt) return '[]';
  const place = rank + (isClean(verdict) ? 0 : doubtfulRank);
  const { alertAt, escalatedAt, remindAt, reminders } = before;
  const dueAt = String(remindAt ?? later(receivedAt, remindAfterMs));
  return JSON.stringify([
    ...(alertAt ? [alertOf(String(alertAt), place)] : []),
    ...(urgent && !deliveredAt && !escalatedAt ? [escalationOf(receivedAt, place)] : []),
    ...(urgent ? remindersOf(form, dueAt, place, Number(reminders) || 0) : []),
  ]);
}
