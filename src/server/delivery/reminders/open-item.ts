import type { Site } from '../../../model/site.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { nzDay, sayDay } from '../../time/nz-time.ts';
import type { Letter } from '../letter/letter.ts';
import { printable } from '../letter/printable.ts';
import { isContactRefused } from '../letter/safe-contact.ts';
import { hasSafeTimes } from '../letter/safe-times.ts';
import { linkToStaffPage } from '../letter/staff-link.ts';
import { formTitle } from '../letter/submission-mail.ts';
import type { Mailing } from '../mail-transport.ts';

/** What a reminder says of one open submission: nothing of its words. */
export interface OpenItem {
  reference: string;
  form: string;
  urgent: boolean;
  isRefused: boolean;
  /** Sentences, the first about how long the person has waited. */
  lines: readonly string[];
  /** What ends soon, marked. */
  warning?: string | undefined;
  link: Letter['link'];
}

const waiting =
  'No mail server has accepted its email yet. The person who runs the website can show it to you.';
/** Its mail was written before SMTP_URL was set. */
const lying =
  'Its email is in no mailbox: it is a file on the website’s server. The person who runs the website mails it with ./awhina deliveries retry --all.';

/** Whether no mail server has accepted its email. One that was written to the folder before counts as delivered. */
export const isInNoMailbox = (
  reference: string,
  deliveredAt: Date | null,
  inFolder?: ReadonlySet<string>,
): boolean => deliveredAt === null || inFolder?.has(reference) === true;

/**
 * @param wait how long it has waited, in one sentence
 * @param options inFolder: the references whose mail is an unread file
 */
export function describeOpen(
  submission: StoredSubmission,
  wait: string,
  { site, staffLink, inFolder }: { site: Site; inFolder?: ReadonlySet<string> } & Pick<Mailing, 'staffLink'>,
): OpenItem {
  const { reference, form, delivery } = submission;
  return {
    reference,
    form: formTitle(site, form),
    urgent: delivery.urgent,
    isRefused: isContactRefused(submission),
    lines: [
      `${wait} ${sayState(submission)}`,
      ...sayBeforeContact(submission),
      ...(inFolder?.has(reference) ? [lying] : delivery.deliveredAt ? [] : [waiting]),
    ],
    link: linkToStaffPage(submission, staffLink),
  };
}

function sayState({ followUp: { takenBy, takenAt } }: StoredSubmission): string {
  if (!takenAt) return 'Nobody has taken it.';
  return `Taken by ${printable(takenBy ?? '').replace(/\s+/g, ' ')} on ${sayDay(nzDay(takenAt))}.`;
}

/** Never a time or a number: the mail has them, with all that must be known beside them. */
function sayBeforeContact(submission: StoredSubmission): string[] {
  if (submission.damaged !== undefined)
    return ['Its stored answers are damaged: nothing says whether it is safe to reach this person.'];
  if (!Array.isArray(submission.answers))
    return ['Sealed: read it first. It says whether, when and how it is safe to reach this person.'];
  // Nobody can answer this person, so the list has to say how it ends.
  if (isContactRefused(submission))
    return ['They will contact us themselves: be ready, and then say that it is answered.'];
  return hasSafeTimes(submission) ? ['Safe times are in the mail.'] : [];
}
