import type { Entry } from '../../../model/answers.ts';
import type { BotVerdict } from '../../../model/bot-verdict.ts';
import type { Definition, FormName } from '../../../model/form-field.ts';
import type { Receipt } from '../../../model/operations.ts';
import type { Change } from './changes.ts';
import type { CountedChoice } from './counts.ts';

/** Answers that only the holder of the private key can read: an age file in ASCII armour. */
export interface SealedAnswers {
  sealed: string;
}

/** A form in one wording, named by the hash of its definition, so that old answers stay readable after a change. */
export interface FormVersion {
  name: FormName;
  definition: Definition;
  hash: string;
}

export interface NewSubmission {
  /** Given where the same submission was tried in another database. If the reference is taken, another one is drawn. */
  reference?: string;
  form: FormVersion;
  answers: Entry[] | SealedAnswers;
  verdict: BotVerdict;
  tokenHash: string;
  answersHash: string;
  receivedAt: Date;
  /** Its mail is held back until then and sent in one mail with others. */
  heldUntil?: Date | undefined;
  /** Mailed before those that are not urgent. */
  urgent?: boolean;
  /** Which of its sender's submissions it is: the first of every sender is mailed first, then the second. */
  rank?: number;
  /** The choices of counted questions. */
  chosen?: readonly CountedChoice[];
  /** The server sent it to itself: it appears in no list and is not counted. */
  canary?: boolean;
  /** The tag of the translation in which the form was read; null for the original, and where it is sealed. */
  language?: string | null;
  /** The tag that is counted, also where the answers are sealed; null for none. */
  countedLanguage?: string | null;
  /** An alert (ALERT_URL) is due at once. */
  alert?: boolean;
  /** When staff are first reminded of an urgent one that nobody has taken: an hour after it came in, if not given. */
  remindAt?: Date;
  /** Its first mail waits until then, because another server may be sending it. */
  mailAfter?: Date | undefined;
}

/** What a token was spent on. */
export interface Spent {
  answersHash: string;
  receipt: Receipt;
}

export type Added = { added: true; receipt: Receipt } | { added: false; spent: Spent };

/** A submission as it was stored, with the state of its delivery. */
export interface StoredSubmission {
  id: number;
  reference: string;
  form: FormName;
  /** The form as it was when it was answered. */
  definition: Definition;
  answers: Entry[] | SealedAnswers;
  /** Only where answers or form are damaged: what is stored of the answers, as it is. `answers` is empty then. */
  damaged?: string;
  verdict: BotVerdict;
  receivedAt: Date;
  /** The tag of the translation in which the form was read; null for the original, and where it is sealed. */
  language: string | null;
  /** The server sent it to itself; it must not reach staff. */
  canary?: boolean;
  delivery: Delivery;
  followUp: FollowUp;
  /** What was said about it after it was sent, the oldest first. */
  changes?: readonly Change[];
}

/** What staff did about a submission. Open means that it was not answered. */
export interface FollowUp {
  takenBy: string | null;
  takenAt: Date | null;
  /** Null too where `answeredAt` is set: the submission was delivered before follow-ups were recorded. */
  answeredBy: string | null;
  answeredAt: Date | null;
  /** When a person last showed that they have it: took it, answered it, or marked its mail file as read. Null: nobody did. */
  seenAt: Date | null;
  /** They asked us not to contact them any more. Who recorded that, and when. */
  noContactBy: string | null;
  noContactAt: Date | null;
  /** They withdrew it: nobody is reminded, and it is erased a week later. */
  withdrawnBy: string | null;
  withdrawnAt: Date | null;
}

export const notFollowedUp: FollowUp = {
  takenBy: null,
  takenAt: null,
  answeredBy: null,
  answeredAt: null,
  seenAt: null,
  noContactBy: null,
  noContactAt: null,
  withdrawnBy: null,
  withdrawnAt: null,
};

export interface Delivery {
  /** Mailed before those that are not urgent; the mail says so. */
  urgent: boolean;
  /** Counted when a delivery is claimed, so that an attempt that ended the process counts too. */
  attempts: number;
  nextAttemptAt: Date;
  /** When a mail server accepted the mail. Nobody need have seen it. */
  deliveredAt: Date | null;
  parkedAt: Date | null;
  /** The last error by code and step; never the mail server's words, which may quote the mail. */
  lastError: string | null;
}

type DeliveryStatus = 'accepted' | 'parked' | 'waiting';

export function deliveryStatus({ deliveredAt, parkedAt }: Delivery): DeliveryStatus {
  if (deliveredAt) return 'accepted';
  return parkedAt ? 'parked' : 'waiting';
}

/**
 * Waiting: no mail server has accepted the mail; parked: one has refused it for good. Accepted: one has it. Seen: a person
 * showed that they have the request, whatever became of the mail.
 */
export function requestState({
  delivery,
  followUp,
}: Pick<StoredSubmission, 'delivery' | 'followUp'>): DeliveryStatus | 'seen' {
  return followUp.seenAt ? 'seen' : deliveryStatus(delivery);
}

export interface SubmissionFilter {
  form?: FormName | undefined;
  /** Received at or after. */
  since?: Date | undefined;
  /** Received before. */
  until?: Date | undefined;
  undelivered?: boolean | undefined;
}
