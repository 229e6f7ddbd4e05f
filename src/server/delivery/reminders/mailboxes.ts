import { type FormName, formNames } from '../../../model/form-field.ts';
import type { MailAddresses } from '../mail.ts';

/** Forms whose mail goes to the same addresses: staff get one reminder, not one for each form. */
export interface Mailbox {
  forms: readonly FormName[];
  to: readonly string[];
}

/** Names a mailbox. */
export const firstForm = ({ forms }: Pick<Mailbox, 'forms'>): FormName => forms[0] ?? 'help';

export function findMailboxes({ to }: MailAddresses): Mailbox[] {
  const keyOf = (form: FormName) => [...new Set(to[form].map((one) => one.toLowerCase()))].toSorted().join();
  return [...Map.groupBy(formNames, keyOf).values()].map((forms) => ({
    forms,
    to: forms[0] ? to[forms[0]] : [],
  }));
}

interface Hearing {
  mail: MailAddresses & { escalateTo: readonly string[]; smtpUrl?: string | undefined };
  /** Null: the trust follows requests elsewhere. */
  unseenRetentionDays: number | null;
  /** ALERT_URL. */
  alert: object | undefined;
}

/** For the start and `awhina check`: that nobody else would hear of a request. Null where somebody would. */
export function describeNobodyElse({ mail, unseenRetentionDays, alert }: Hearing): string | null {
  if (unseenRetentionDays === null) return null;
  if (!mail.smtpUrl)
    return alert
      ? null
      : `If nobody looks into the folder of mails, nobody else hears of it, and a request is erased ${unseenRetentionDays} days after it came in. Set SMTP_URL or ALERT_URL.`;
  const isAlone = findMailboxes(mail).some(
    (mailbox) => findOthers(mailbox, mail, mail.escalateTo).length === 0,
  );
  if (!isAlone) return null;
  const who = alert ? 'nobody else hears of it but ALERT_URL' : 'nobody else hears of it';
  return `If nobody on your team sees a request, ${who}. Set MAIL_TO_ESCALATE to the address of somebody else, who then does.`;
}

/**
 * Who hears of what nobody in this mailbox has seen: MAIL_TO_ESCALATE, otherwise the mailbox of the other form. Empty if
 * nobody else would.
 */
export function findOthers(
  { to }: Mailbox,
  addresses: MailAddresses,
  escalateTo: readonly string[],
): readonly string[] {
  const escalated = withoutTheirs({ to }, escalateTo);
  return escalated.length > 0
    ? escalated
    : [...new Set(withoutTheirs({ to }, Object.values(addresses.to).flat()))];
}

/** These addresses, without those of the mailbox. */
export function withoutTheirs({ to }: Pick<Mailbox, 'to'>, list: readonly string[]): string[] {
  const theirs = new Set(to.map((one) => one.toLowerCase()));
  return list.filter((one) => !theirs.has(one.toLowerCase()));
}
