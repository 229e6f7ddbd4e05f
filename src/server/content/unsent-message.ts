import type { FormName } from '../../model/form-field.ts';
import { fill, type Phrase } from '../../model/phrase.ts';
import type { Site } from '../../model/site.ts';

interface Written {
  phone?: string | undefined;
  alternativeContact: { heading: Phrase; message: Phrase; withoutPhone: Phrase; sent: Phrase };
  form: { receipt: Record<FormName, { heading: Phrase }> };
}

/** A greeting such as `{mi:Ngā mihi}, ` at the beginning. */
const greeting = /^\{[a-z]{2,3}:[^{}]*\}[\s\p{P}]+(?=[\p{L}\p{N}])/u;

/** The words beside each form. They name the heading of the receipt: a visitor who has not seen it knows that nothing was sent. */
export function tellUnsent({ phone, alternativeContact, form }: Written): Site['alternativeContact'] {
  const { heading, message, withoutPhone, sent } = alternativeContact;
  const chosen = phone || !message.includes('{phone}') ? message : withoutPhone;
  const beside = (name: FormName) =>
    fill(chosen, { receipt: form.receipt[name].heading.replace(greeting, '') });
  return { heading, message: { help: beside('help'), contact: beside('contact') }, sent };
}
