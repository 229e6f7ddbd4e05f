import type { Site } from '../../model/site.ts';
import { type AlertQueue, createAlertWorker } from '../delivery/alerts/alert-worker.ts';
import { createPostAlert } from '../delivery/alerts/post-alert.ts';
import { createFolderTransport, erasingSentFiles } from '../delivery/folder/folder-transport.ts';
import { findUnreadReferences, mailFolderIn } from '../delivery/folder/mail-folder.ts';
import { findReplyTo } from '../delivery/letter/safe-contact.ts';
import { createPressMail, type Press } from '../delivery/letter/thread-mail.ts';
import { createEscalation } from '../delivery/notices/escalation.ts';
import { createRefusals } from '../delivery/notices/refusals.ts';
import { createStaffAlert } from '../delivery/notices/staff-alert.ts';
import { createTellOthers } from '../delivery/notices/tell-others.ts';
import { createUndeliveredNotice } from '../delivery/notices/undelivered-notice.ts';
import { createSendChanges } from '../delivery/queue/change-mails.ts';
import { createDeliveryWorker } from '../delivery/queue/delivery-worker.ts';
import { createDigest } from '../delivery/queue/digest.ts';
import { createSendSubmission } from '../delivery/queue/send-submission.ts';
import { createThreadMails } from '../delivery/queue/thread-mails.ts';
import { createSmtpTransport } from '../delivery/smtp/smtp-transport.ts';
import type { Log } from '../log/log.ts';
import type { MetricsSink } from '../metrics/metrics-sink.ts';
import type { Settings } from '../settings/settings.ts';
import type { StaffKeys } from '../staff/staff-key.ts';
import type { Archive } from '../store/contract/archive.ts';
import type { DeliveryQueue } from '../store/contract/delivery-queue.ts';
import type { Jobs } from '../store/contract/jobs.ts';
import type { StoredSubmission } from '../store/contract/submission.ts';
import type { ReadLetter } from '../store/contract/times.ts';

interface BuildDeliveryParts {
  settings: Settings;
  queue: DeliveryQueue & AlertQueue & Jobs & Pick<Archive, 'findSubmission'>;
  site: () => Site;
  staffKeys: StaffKeys;
  metrics: MetricsSink;
  now: () => Date;
  log: Log;
}

/** Everything that tells staff about requests: by the mail server of the settings, or in a folder where none is set; and by alerts. */
export function buildDelivery({ settings, queue, site, staffKeys, metrics, now, log }: BuildDeliveryParts) {
  const { smtpUrl, ca, escalateTo, bouncesTo, ...addresses } = settings.mail;
  const mailFolder = mailFolderIn(settings.dataDir);
  const transport = smtpUrl
    ? erasingSentFiles(createSmtpTransport({ url: smtpUrl, ca, from: addresses.from, bouncesTo }), mailFolder)
    : createFolderTransport(mailFolder);
  const { publicUrl } = settings;
  const staffLink =
    publicUrl && smtpUrl ? (reference: string) => publicUrl + staffKeys.pathFor(reference) : undefined;
  const othersLink = staffLink && ((reference: string) => publicUrl + staffKeys.pathForOthers(reference));
  const findInFolder = () => findUnreadReferences(mailFolder);
  const letterLink = staffLink && ((letter: ReadLetter) => publicUrl + staffKeys.pathForLetter(letter));
  const base = { transport, site, addresses, staffLink, othersLink, letterLink, findInFolder, now, log };
  const { onDelivered } = metrics;
  const post = settings.alert && createPostAlert(settings.alert);
  const refusals = createRefusals(now);
  const hears = { hasMailServer: smtpUrl !== undefined, escalateTo, post };
  const { tellOthers, retryAlerts } = createTellOthers({ ...base, ...hears, refusals: refusals.silent });
  const mailing = { ...base, refusals: refusals.telling(tellOthers, escalateTo) };
  const threadMails = createThreadMails(mailing);
  const send = createSendSubmission({ ...mailing, threadMails, canaryTo: settings.canary?.to });
  const worker = createDeliveryWorker({
    queue,
    onDelivered,
    threadMails,
    send,
    now,
    log,
  });
  /** Mails what staff pressed to the mailbox of the form, where mails have links. */
  function mailPress(submission: StoredSubmission, press: Press): void {
    if (!staffLink) return;
    const { reference, form, delivery } = submission;
    const invitesReply = findReplyTo(submission) !== undefined;
    const compose = (date: Date) =>
      createPressMail({ reference, form, delivery }, press, invitesReply, mailing, date);
    threadMails.add({ kind: 'press', reference, compose });
    worker.wake();
  }
  return {
    ...mailing,
    mailPress,
    mailFolder,
    escalateTo,
    worker,
    /** Undefined where ALERT_URL is not set. */
    alertWorker: post && createAlertWorker({ queue, post, now, log }),
    tellOthers,
    retryAlerts,
    findRefusalProblem: refusals.findProblem,
    alertStaff: createStaffAlert({ ...mailing, escalateTo }),
    noticeUndelivered: createUndeliveredNotice({ ...mailing, queue }),
    sendDigests: createDigest({ ...mailing, queue, onDelivered }),
    sendChanges: createSendChanges({
      ...{ ...mailing, queue, escalateTo },
      rewriteFile: smtpUrl ? undefined : send,
    }),
    escalate: createEscalation({ ...mailing, queue, to: escalateTo }),
  };
}

export type DeliveryParts = ReturnType<typeof buildDelivery>;
