import { createSubmissionMail } from '../../src/server/delivery/letter/submission-mail.ts';
import { writeMail } from '../../src/server/delivery/mail.ts';
import type { MailTransport } from '../../src/server/delivery/mail-transport.ts';
import {
  createDeliveryWorker,
  type DeliveryWorkerParts,
} from '../../src/server/delivery/queue/delivery-worker.ts';
import { createDigest } from '../../src/server/delivery/queue/digest.ts';
import type { SmtpOptions } from '../../src/server/delivery/smtp/smtp-session.ts';
import { createSmtpTransport } from '../../src/server/delivery/smtp/smtp-transport.ts';
import type { Store } from '../../src/server/store/contract/store.ts';
import { shippedContent } from './forms.ts';
import { collectLog } from './log.ts';
import { addresses } from './stored-submissions.ts';

export function smtpTo(port: number, options: Partial<SmtpOptions> = {}): Required<MailTransport> {
  const url = `smtp://127.0.0.1:${port}`;
  return createSmtpTransport({ url, from: addresses.from, ...options });
}

/** Sends what is held as one mail, as the server does every ten minutes. */
export const sendHeld = (queue: Store, transport: MailTransport, now: () => Date) =>
  createDigest({
    ...{ queue, transport, addresses, now },
    ...{ site: () => shippedContent.site, log: collectLog().log },
  })();

/** A worker as the server builds it, without a pace unless the test sets one. */
export function workerFor(
  queue: DeliveryWorkerParts['queue'],
  transport: MailTransport,
  now: () => Date,
  options: DeliveryWorkerParts['options'] = {},
  log: DeliveryWorkerParts['log'] = collectLog().log,
  to = addresses,
) {
  return createDeliveryWorker({
    queue,
    send: async (submission) =>
      transport.send(await writeMail(createSubmissionMail(submission, shippedContent.site, to, now()))),
    now,
    log,
    options: { everyMs: 0, ...options },
  });
}
