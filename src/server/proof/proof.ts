import { createMailWatch, type MailWatchParts } from './mail-watch.ts';

/** What the site does to see, before a person needs it, that a request sent tonight would reach staff. */
export interface Proof {
  start(): void;
  /** Waits for nothing. */
  stop(): void;
  /** What turns /health/deliveries red, and what it warns of. */
  problems(): string[];
  warnings(): string[];
  /** Until when the mail server's certificate is valid, as far as a look has shown. */
  mailCertificateUntil(): Date | null;
}

export function createProof(parts: MailWatchParts): Proof {
  const mail = createMailWatch(parts);
  return {
    start: mail.start,
    stop: mail.stop,
    problems: () => [mail.problem()].filter((one) => one !== null),
    warnings: () => [mail.warning()].filter((one) => one !== null),
    mailCertificateUntil: mail.certificateUntil,
  };
}
