import type { Site } from '../../model/site.ts';
import type { Log } from '../log/log.ts';
import type { ReadLetter } from '../store/contract/times.ts';
import type { Mail, MailAddresses, WrittenMail } from './mail.ts';

export interface MailTransport {
  /** What is in use, in words for the person who runs the site. Never a password. */
  readonly description: string;
  /** Never throws: a mail that does not get through is expected. */
  send(mail: WrittenMail): Promise<SendOutcome>;
  /** Does every step of sending a mail to these people, up to the mail itself. Never throws. */
  probe?(recipients: readonly string[]): Promise<MailProbe>;
}

/** What every part needs that sends mail to staff. */
export interface Mailing {
  transport: MailTransport;
  site: () => Site;
  addresses: MailAddresses;
  /** The requests whose mail is an unread file, from before there was a mail server. */
  findInFolder?: (() => Promise<ReadonlySet<string>>) | undefined;
  /** The address at which staff say that they are on it. Absent where PUBLIC_URL or SMTP_URL is not set. */
  staffLink?: ((reference: string) => string) | undefined;
  /** The same page, in mails to others: what they press does not show that anybody reads the mailbox. */
  othersLink?: ((reference: string) => string) | undefined;
  /** The address at which somebody shows that a letter was read. Absent like `staffLink`. */
  letterLink?: ((letter: ReadLetter) => string) | undefined;
  now: () => Date;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  refusals?: Refusals;
}

/** Hears what became of reminders and notices, which nobody would miss, and which mails of requests were accepted. */
export interface Refusals {
  /** @param refused those of its addresses that were refused */
  recordAccepted(mail: Mail, refused?: readonly string[]): void;
  /** The mail was refused for good, also when it was short and without links. */
  recordRefused(mail: Mail, reason: string): Promise<void>;
}

export type SendOutcome =
  /** `refused`: the addresses that were refused, where the others were accepted. */
  | { ok: true; refused?: readonly string[] }
  /**
   * `permanent`: the same mail will be refused again. `reason` is a code and a step, such as 'SMTP 451 at DATA':
   * never a server's own words, which may quote an address or the mail.
   */
  | { ok: false; permanent: boolean; reason: string };

export interface MailProbe {
  /** The steps up to the first failure, in order. The last step is repeated for each recipient, in the given order. */
  steps: readonly MailStep[];
  /** The first failure, as a code and a step; null where a mail would have been accepted. */
  problem: string | null;
  /** When the mail server's certificate expires, where the server showed one that is trusted. */
  certificateUntil: Date | null;
  /** When the certificate began: a certificate that lasts for days is renewed within days. */
  certificateFrom?: Date | null;
}

export interface MailStep {
  step: 'name' | 'connection' | 'tls' | 'sign-in' | 'sender' | 'recipient';
  ok: boolean;
  /** For a failure a code and a step, otherwise a remark or ''. Never an address or a password. */
  detail: string;
}
