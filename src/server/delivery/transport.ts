import type { WrittenMail } from './mail.ts';

export interface MailTransport {
  /** What is in use, in words for the person who runs the site. Never a password. */
  readonly description: string;
  /** Never throws: that a mail does not get through is expected. */
  send(mail: WrittenMail): Promise<SendOutcome>;
}

export type SendOutcome =
  /** `refused`: for so many of its addresses it was not taken, and for the others it was. */
  | { ok: true; refused?: number }
  /**
   * `permanent`: the same mail will be refused again. `reason` is a code and a step, such as 'SMTP 451 at DATA':
   * never words of a server, which may quote an address or the mail.
   */
  | { ok: false; permanent: boolean; reason: string };
