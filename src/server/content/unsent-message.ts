import type { FormName } from '../../model/form-field.ts';
import { fill, type Phrase } from '../../model/phrase.ts';
import type { Site } from '../../model/site.ts';

interface Written {
  phone?: string | undefined;
  alternativeContact: { heading: Phrase; message: Phrase; withoutPhone: Phrase; sent: Phrase };
  form: { receipt: Record<FormName, { heading: Phrase }> };
}

/** A greeting such as `{mi:Ngā mihi}, ` with nothing but punctuation between it and what it introduces. */
const greeting = /^\{[a-z]{2,3}:[^{}]*\}[\s\p{P}]+(?=[\p{L}\p{N}])/u;

/** The words beside each form by which a visitor can tell that it was not sent: those of its receipt are missing. */
export function tellUnsent({ phone, alternativeContact, form }: Written): Site['alternativeContact'] {
  const { heading, message, withoutPhone, sent } = alternativeContact;
  const chosen = phone || !message.includes('{phone}') ? message : withoutPhone;
  const beside = (name: FormName) =>
    fill(chosen, { receipt: form.receipt[name].heading.replace(greeting, '') });
  return { heading, message: { help: beside('help'), contact: beside('contact') }, sent };
}
