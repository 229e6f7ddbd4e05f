import type { WrittenMail } from './mail.ts';

export interface MailTransport {
  /** What is in use, in words for the person who runs the site. Never a password. */
  readonly description: string;
  /** Never throws: that a mail does not get through is expected. */
  send(mail: WrittenMail): Promise<SendOutcome>;
  /** Goes the way of a mail to these people as far as it can be gone without sending one. Never throws. */
  probe?(recipients: readonly string[]): Promise<MailProbe>;
}

export type SendOutcome =
  /** `refused`: for so many of its addresses it was not taken, and for the others it was. */
  | { ok: true; refused?: number }
  /**
   * `permanent`: the same mail will be refused again. `reason` is a code and a step, such as 'SMTP 451 at DATA':
   * never words of a server, which may quote an address or the mail.
   */
  | { ok: false; permanent: boolean; reason: string };

export interface MailProbe {
  /** As far as it came, in this order; the last is one for each recipient, in the order in which they were given. */
  steps: readonly MailStep[];
  /** The first thing that went wrong, as a code and a step; null where a mail would have been taken. */
  problem: string | null;
  /** Until when the mail server's certificate is valid, where it showed one that we trust. */
  certificateUntil: Date | null;
  /** Since when; those that last for days are renewed within days. */
  certificateFrom?: Date | null;
}

export interface MailStep {
  step: 'name' | 'connection' | 'tls' | 'sign-in' | 'sender' | 'recipient';
  ok: boolean;
  /** Where it failed, a code and a step. Otherwise what there is to say, if anything. Never an address or a password. */
  detail: string;
}
