import { retryWrite } from '../../jobs/retry-write.ts';
import type { Archive } from '../../store/contract/archive.ts';
import { changedKind } from '../../store/contract/changes.ts';
import { type ClaimedSubmission, withSubmissions } from '../../store/contract/claimed-submissions.ts';
import type { Jobs } from '../../store/contract/jobs.ts';
import { refusedMs } from '../../store/contract/mail-jobs.ts';
import type { StoredSubmission } from '../../store/contract/submission.ts';
import { createChangeMail, createWithdrawnNotice } from '../letter/change-mail.ts';
import type { Mailing, SendOutcome } from '../mail-transport.ts';
import { sendOrShorten } from '../notices/send-or-shorten.ts';
import { withoutTheirs } from '../reminders/mailboxes.ts';
import { backoffMs } from './retry.ts';

/** Longer than two mails take to send. */
const leaseMs = 2 * 60_000;
/** In one run, one after the other. The next run has the others. */
const mostSent = 20;

interface ChangeMailParts extends Mailing {
  queue: Pick<Jobs, 'claimJobs' | 'completeJob' | 'postponeJob'> & Pick<Archive, 'findSubmissions'>;
  /** MAIL_TO_ESCALATE. */
  escalateTo: readonly string[];
  /** Without a mail server: writes the file of the request again, which then says what was said. */
  rewriteFile: ((submission: StoredSubmission) => Promise<SendOutcome>) | undefined;
}

/**
 * Mails staff what was said about a request after it was sent, by the page for staff or by the command, at least once and
 * the newest. A job, because the command is another process, and what was withdrawn is not erased before staff know.
 */
export function createSendChanges({ queue, escalateTo, rewriteFile, ...mailing }: ChangeMailParts) {
  const { now, log, addresses } = mailing;

  /** To the mailbox. */
  async function tellTeam(submission: StoredSubmission): Promise<SendOutcome> {
    const change = submission.changes?.at(-1);
    // Only where what was said is damaged.
    if (!change) return { ok: true };
    if (rewriteFile) return rewriteFile(submission);
    return sendOrShorten(createChangeMail(submission, change, mailing, now()), mailing);
  }

  /** Also if something else was said since: that mail is of the newest, and this one of the withdrawal. */
  async function tellOthers(submission: StoredSubmission): Promise<SendOutcome> {
    const { withdrawnAt, takenAt, answeredAt } = submission.followUp;
    const withdrawn = withdrawnAt && submission.changes?.findLast(({ said }) => said === 'withdrawn');
    const others = withoutTheirs({ to: addresses.to[submission.form] }, escalateTo);
    const isUrgent = submission.delivery.urgent && !takenAt && !answeredAt;
    if (rewriteFile || !withdrawn || !isUrgent || others.length === 0) return { ok: true };
    return sendOrShorten(createWithdrawnNotice(submission, withdrawn, others, mailing), mailing);
  }

  async function sendOne(claim: ClaimedSubmission): Promise<void> {
    const { submission, attempts } = claim;
    const { reference } = submission;
    // Each by itself: the team is not mailed again because the mailbox of others is full.
    const tell = async (send: (one: StoredSubmission) => Promise<SendOutcome>) =>
      send(submission).catch(
        ({ name }: Error): SendOutcome => ({ ok: false, permanent: false, reason: `${name} at writing` }),
      );
    const team: SendOutcome = claim.done > 0 ? { ok: true } : await tell(tellTeam);
    const others = await tell(tellOthers);
    const outcome = team.ok ? others : team;
    if (outcome.ok) {
      // Where something was said meanwhile the lease is gone, and that is mailed next.
      await retryWrite(() => queue.completeJob(claim));
      return log.info({ event: 'change mail sent', reference });
    }
    const { permanent, reason } = outcome;
    log.error({ event: 'change mail not sent', reference, attempts, reason });
    const dueAt = new Date(now().getTime() + (permanent ? refusedMs : backoffMs(attempts)));
    await retryWrite(() => queue.postponeJob(claim, { dueAt, error: reason, isDone: team.ok }));
  }

  return async function sendChanges(): Promise<void> {
    for (let count = 0; count < mostSent; count++) {
      const which = { kinds: [changedKind], limit: 1, leaseMs, longestMs: refusedMs };
      const claims = await queue.claimJobs(which, now());
      if (claims.length === 0) return;
      for (const one of await withSubmissions(queue, claims)) await sendOne(one);
    }
  };
}
