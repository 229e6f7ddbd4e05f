import type { CanaryState } from '../store/contract/canary.ts';
import type { Store } from '../store/contract/store.ts';
import { createMailWatch, type MailWatchParts } from './mail-watch.ts';
import { createSiteCanary, type SiteCanaryParts } from './site-canary.ts';

/** What the site does to see, before a person needs it, that a request sent tonight would reach staff. */
export interface SelfChecks {
  start(): void;
  /** Waits for a canary's last words, and for nothing else. */
  stop(): Promise<void>;
  /** What turns /health/deliveries red, and what it warns of. */
  problems(): Promise<string[]>;
  warnings(): string[];
  /** Until when the mail server's certificate is valid, as far as a look has shown. */
  mailCertificateUntil(): Date | null;
  /** When the mail server last was found to take mail. */
  mailAcceptedAt(): Date | null;
  /** How the last canaries went; null where none is sent. */
  canary(): Promise<CanaryState | null>;
}

export interface SelfCheckParts
  extends Omit<MailWatchParts, 'turns'>,
    Omit<SiteCanaryParts, 'alertStaff' | 'log'> {
  store: Store;
}

export function createSelfChecks(parts: SelfCheckParts): SelfChecks {
  const mail = createMailWatch({ ...parts, turns: parts.store });
  const canary = createSiteCanary({ ...parts, alertStaff: mail.tell });
  const given = (found: (string | null)[]) => found.filter((one) => one !== null);
  return {
    start() {
      mail.start();
      canary.start();
    },
    stop() {
      mail.stop();
      return canary.stop();
    },
    problems: async () => given([await canary.findProblem(), mail.problem()]),
    warnings: () => given([mail.warning()]),
    mailCertificateUntil: mail.certificateUntil,
    mailAcceptedAt: mail.acceptedAt,
    canary: canary.readState,
  };
}
