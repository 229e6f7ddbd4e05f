import { type BotVerdict, isDoubtful } from '../../../model/bot-verdict.ts';
import { type FormName, formNames } from '../../../model/form-field.ts';
import { changedKind } from './changes.ts';
import { type MailKind, mailKinds } from './mail-jobs.ts';

/** The jobs of one submission. They are written with it, move with it, and are deleted with it. */

const hourMs = 3_600_000;
/** The first alert, and the one that goes out with each reminder. */
export const alertKinds = ['alert', 'alert again'] as const;
export const escalateKind = 'escalate';
/** Done once: what the other database has done is not done again here. */
export const onceKinds: readonly SubmissionJobKind[] = ['alert', escalateKind];
/** The team, or the people of MAIL_TO_ESCALATE. */
export const reminderReaders = ['team', 'others'] as const;
export type ReminderReaders = (typeof reminderReaders)[number];
/** One of each form, because each form may have a mailbox of its own. */
type ReminderKind = `remind ${ReminderReaders} ${FormName}`;
export const reminderKind = (readers: ReminderReaders, form: FormName): ReminderKind =>
  `remind ${readers} ${form}`;

/** Every job of a submission is of one of these. */
export type SubmissionJobKind =
  | MailKind
  | (typeof alertKinds)[number]
  | typeof escalateKind
  | typeof changedKind
  | ReminderKind;

const allKinds: readonly SubmissionJobKind[] = [
  ...[...Object.values(mailKinds), ...alertKinds, escalateKind, changedKind],
  ...reminderReaders.flatMap((readers) => formNames.map((form) => reminderKind(readers, form))),
];
const kinds: ReadonlySet<string> = new Set(allKinds);
/** Whether the job is in the database that has its submission. */
export const isOfSubmission = (kind: string): boolean => kinds.has(kind);

/** An urgent request whose mail no mail server has accepted after this long is escalated. */
export const escalateAfterMs = 10 * 60_000;
/** Staff are reminded after this long, if no setting says another time. */
export const remindAfterMs = hourMs;

/** What the bot check doubts comes after all others. No client has as many in an hour. */
export const doubtfulRank = 1_000_000;
/** What a reminder has named comes after what none has. */
export const namedRank = 10_000;
export const rankOfJob = (rank: number, verdict: BotVerdict): number =>
  rank + (isDoubtful(verdict) ? doubtfulRank : 0);
