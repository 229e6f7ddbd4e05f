import { type FormName, formNames } from '../../../model/form-field.ts';
import type { MailAddresses } from '../mail.ts';

/** Forms whose mail goes to the same addresses: staff get one reminder, not one for each form. */
export interface Mailbox {
  forms: readonly FormName[];
  to: readonly string[];
}

export function findMailboxes({ to }: MailAddresses): Mailbox[] {
  const keyOf = (form: FormName) => [...new Set(to[form].map((one) => one.toLowerCase()))].toSorted().join();
  return [...Map.groupBy(formNames, keyOf).values()].map((forms) => ({
    forms,
    to: forms[0] ? to[forms[0]] : [],
  }));
}
