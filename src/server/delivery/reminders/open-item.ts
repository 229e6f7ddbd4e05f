import type { Site } from '../../../model/site.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { formatDay, nzDay } from '../../time/nz-time.ts';
import { onOneLine } from '../letter/printable.ts';
import { isContactRefused } from '../letter/safe-contact.ts';
import { hasSafeTimes } from '../letter/safe-times.ts';
import { linkToStaffPage } from '../letter/staff-link.ts';
import { formTitle } from '../letter/submission-mail.ts';
import type { Mailing } from '../mail-transport.ts';
import { type BareItem, type OpenItem, openListAsHtml, openListAsText } from './open-list.ts';

const waiting =
  'No mail server has accepted its email yet. The person who runs the website can show it to you.';
/** Its mail was written before SMTP_URL was set. */
const lying =
  'Its email is in no mailbox: it is a file on the website’s server. The person who runs the website mails it with ./awhina deliveries retry --all.';

interface ListedOpen {
  /** With all that a reminder says of one. `wait`: how long it has waited. `last`: a sentence at the end. */
  named: readonly {
    submission: StoredSubmission;
    wait: string;
    warning?: string | undefined;
    last?: string;
  }[];
  /** By reference alone. */
  bare: readonly (Pick<BareItem, 'reference' | 'urgent' | 'warning'> & { deliveredAt: Date | null })[];
  rest: readonly string[];
  closing: readonly string[];
}

interface ListMailing extends Pick<Mailing, 'staffLink'> {
  site: Site;
  /** The references whose mail is an unread file. */
  inFolder?: ReadonlySet<string> | undefined;
}

/** Open submissions below a letter, as text and as HTML. */
export function listOpen({ named, bare, ...ends }: ListedOpen, { site, staffLink, inFolder }: ListMailing) {
  const list = {
    ...ends,
    items: named.map(({ submission, wait, warning, last }): OpenItem => {
      const { reference, form, delivery } = submission;
      const mail = inFolder?.has(reference) ? [lying] : delivery.deliveredAt ? [] : [waiting];
      const before = [`${wait} ${formatState(submission)}`, ...describeBeforeContact(submission)];
      return {
        reference,
        form: formTitle(site, form),
        urgent: delivery.urgent,
        isRefused: isContactRefused(submission),
        lines: [...before, ...mail, ...(last ? [last] : [])],
        warning,
        link: linkToStaffPage(submission, staffLink),
      };
    }),
    bare: bare.map(({ deliveredAt, ...one }) => ({
      ...one,
      // One that was written to the folder before counts as delivered.
      isInNoMailbox: deliveredAt === null || inFolder?.has(one.reference) === true,
      link: staffLink?.(one.reference),
    })),
  };
  return { text: openListAsText(list), html: openListAsHtml(list) };
}

function formatState({ followUp: { takenBy, takenAt } }: StoredSubmission): string {
  if (!takenAt) return 'Nobody has taken it.';
  return `Taken by ${onOneLine(takenBy ?? '')} on ${formatDay(nzDay(takenAt))}.`;
}

/** Never a time or a number: the mail has them, with all that must be known beside them. */
function describeBeforeContact(submission: StoredSubmission): string[] {
  if (submission.followUp.noContactAt) return ['They asked us not to contact them any more.'];
  if (submission.damaged !== undefined)
    return ['Its stored answers are damaged: nothing says whether it is safe to reach this person.'];
  if (!Array.isArray(submission.answers))
    return ['Sealed: read it first. It says whether, when and how it is safe to reach this person.'];
  // Nobody can answer this person, so the list has to say how it ends.
  if (isContactRefused(submission))
    return ['They will contact us themselves: be ready, and then say that you have answered.'];
  return hasSafeTimes(submission) ? ['Safe times are in the mail.'] : [];
}
