import type { FormName } from '../../../model/form-field.ts';
import { isRefused, mailKinds, refusedMs } from '../contract/mail-jobs.ts';
import type {
  Delivery,
  FollowUp,
  FormVersion,
  NewSubmission,
  StoredSubmission,
} from '../contract/submission.ts';
import { rankOfJob, remindAfterMs } from '../contract/submission-jobs.ts';
import { serializeReceived } from './counting.ts';
import { readChanges } from './stored-changes.ts';
import { readDefinition, readEntries, readVerdict } from './stored-text.ts';
import { alertOf, escalationOf, mailOf, remindersOf, type SubmissionJob } from './submission-jobs.ts';

/** A submission as it is inserted and as it crosses threads and databases: text, and times as ISO 8601. */
export interface SubmissionRow {
  reference: string;
  form: FormName;
  /** The hash of the form's wording. */
  definition: string;
  answers: string | null;
  sealedAnswers: string | null;
  verdict: string;
  tokenHash: string;
  answersHash: string;
  receivedAt: string;
  /** Mailed before those that are not urgent. */
  urgent: boolean;
  /** Lower is mailed first. Missing in a backup of a version without ranks. */
  rank?: number;
  /** Missing in a backup of a version without canaries. */
  canary?: boolean;
  /** Missing in a backup of a version without languages. */
  language?: string | null;
  /** Its jobs in JSON ({@link SubmissionJob}). */
  jobs: string;
  /** What is counted of it once it is erased, in JSON; '' for nothing. */
  counts: string;
}

export interface DefinitionRow {
  hash: string;
  form: FormName;
  definition: string;
}

const cachedDefinitions = new WeakMap<FormVersion, string>();

/** Each form of a batch once. The text of a definition is cached until the content changes. */
export function definitionsOf(batch: readonly { form: FormVersion }[]): DefinitionRow[] {
  return [...new Set(batch.map(({ form }) => form))].map((form) => {
    const definition = cachedDefinitions.get(form) ?? JSON.stringify(form.definition);
    cachedDefinitions.set(form, definition);
    return { hash: form.hash, form: form.name, definition };
  });
}

export function toRow(submission: NewSubmission, reference: string): SubmissionRow {
  const {
    form,
    answers,
    verdict,
    tokenHash,
    answersHash,
    receivedAt,
    urgent = false,
    rank = 1,
    canary = false,
    language = null,
  } = submission;
  const [open, sealedAnswers] = answerColumns(answers);
  return {
    reference,
    form: form.name,
    definition: form.hash,
    answers: open,
    sealedAnswers,
    verdict: JSON.stringify(verdict),
    tokenHash,
    answersHash,
    receivedAt: receivedAt.toISOString(),
    urgent,
    rank,
    canary,
    language,
    jobs: JSON.stringify(newJobs(submission)),
    counts: canary
      ? ''
      : serializeReceived(form.name, receivedAt, submission.chosen, submission.countedLanguage),
  };
}

function newJobs({
  form,
  verdict,
  urgent = false,
  canary,
  rank = 1,
  alert,
  receivedAt,
  ...at
}: NewSubmission): SubmissionJob[] {
  const place = rankOfJob(rank, verdict);
  const { mailAfter = receivedAt, heldUntil, remindAt = new Date(receivedAt.getTime() + remindAfterMs) } = at;
  const isNow = urgent && at.mailAfter === undefined;
  const mail = mailOf({
    dueAt: heldUntil ?? mailAfter,
    urgent: isNow,
    rank,
    kind: heldUntil && mailKinds.held,
  });
  if (canary) return [mail];
  return [
    mail,
    ...(alert ? [alertOf(mailAfter.toISOString(), place)] : []),
    ...(urgent ? [escalationOf(receivedAt.toISOString(), place)] : []),
    ...(urgent ? remindersOf(form.name, remindAt.toISOString(), place) : []),
  ];
}

export function toStoredSubmission(row: Record<string, unknown>): StoredSubmission {
  return {
    id: Number(row.id),
    reference: String(row.reference),
    form: row.form as FormName,
    ...toContent(row),
    // Of an unknown verdict nothing is known about the sender.
    verdict: readVerdict(row.verdict) ?? { kind: 'unverified' },
    receivedAt: toTime(row.received_at),
    canary: Boolean(row.canary),
    language: row.language as string | null,
    delivery: toDelivery(row),
    followUp: toFollowUp(row),
    changes: readChanges(row.changes),
  };
}

/** The state of its mail, which is in a job until it is accepted. */
function toDelivery(row: Record<string, unknown>): Delivery {
  const receivedAt = toTime(row.received_at);
  const dueAt = toDate(row.due_at ?? null);
  return {
    urgent: Boolean(row.urgent),
    attempts: Number(row.attempts),
    // An urgent one is due before it came in.
    nextAttemptAt: dueAt && dueAt > receivedAt ? dueAt : receivedAt,
    deliveredAt: toDate(row.accepted_at),
    parkedAt: isRefused(row.kind) && dueAt ? new Date(dueAt.getTime() - refusedMs) : null,
    lastError: (row.last_error ?? null) as string | null,
  };
}

/** Damaged answers never throw: their request is listed and mailed, as it is stored, and hides no other. */
function toContent(
  row: Record<string, unknown>,
): Pick<StoredSubmission, 'definition' | 'answers' | 'damaged'> {
  const definition = readDefinition(row.definition);
  if (row.answers === null)
    return { definition: definition ?? [], answers: { sealed: String(row.sealed_answers) } };
  const answers = readEntries(row.answers);
  // Without its questions nobody knows what an answer means.
  const isWhole = definition !== null && answers !== null && (definition.length > 0 || answers.length === 0);
  return isWhole ? { definition, answers } : { definition: [], answers: [], damaged: String(row.answers) };
}

export function toFollowUp(row: Record<string, unknown>): FollowUp {
  return {
    takenBy: row.taken_by as string | null,
    takenAt: toDate(row.taken_at),
    answeredBy: row.answered_by as string | null,
    answeredAt: toDate(row.answered_at),
    seenAt: toDate(row.seen_at),
    noContactBy: row.no_contact_by as string | null,
    noContactAt: toDate(row.no_contact_at),
    withdrawnBy: row.withdrawn_by as string | null,
    withdrawnAt: toDate(row.withdrawn_at),
  };
}

/** A damaged time never throws either: it is long ago, so that its request comes first. */
export function toTime(value: unknown): Date {
  const at = new Date(value as string);
  return Number.isNaN(at.getTime()) ? new Date(0) : at;
}

export const toDate = (value: unknown): Date | null => (value === null ? null : toTime(value));

/** The columns `answers` and `sealed_answers`, of which exactly one is filled. */
function answerColumns(answers: StoredSubmission['answers']): [string | null, string | null] {
  return Array.isArray(answers) ? [JSON.stringify(answers), null] : [null, answers.sealed];
}
