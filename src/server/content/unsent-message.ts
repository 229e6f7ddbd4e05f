import type { FormName } from '../../model/form-field.ts';
import { forms } from '../../model/forms.ts';
import { mapValues } from '../../model/map-values.ts';
import { fill, type Phrase } from '../../model/phrase.ts';
import type { Site } from '../../model/site.ts';

/** As site.yaml has it. */
export type UnsentText = Record<'heading' | 'message' | 'withoutPhone' | 'sent' | 'mailNote', Phrase>;

interface WrittenText {
  phone?: string | undefined;
  alternativeContact: UnsentText;
  form: { receipt: Record<FormName, { heading: Phrase }> };
}

/** A sentence with {phone} in it needs a number: a trust without one has another. */
export const chooseByPhone = (phone: string | undefined, sentence: Phrase, withoutPhone: Phrase): Phrase =>
  phone || !sentence.includes('{phone}') ? sentence : withoutPhone;

/** A greeting such as `{mi:Ngā mihi}, ` at the beginning. */
const greeting = /^\{[a-z]{2,3}(?:-\w+)*:[^{}]*\}[\s\p{P}]+(?=[\p{L}\p{N}])/u;

/** The text beside each form names the heading of the receipt: a visitor who has not seen that heading knows that nothing was sent. */
export function composeAlternativeContact({
  phone,
  alternativeContact,
  form,
}: WrittenText): Site['alternativeContact'] {
  const { heading, message, withoutPhone, sent, mailNote } = alternativeContact;
  const chosen = chooseByPhone(phone, message, withoutPhone);
  const messageFor = (_entry: object, name: FormName) =>
    fill(chosen, { receipt: form.receipt[name].heading.replace(greeting, '') });
  return { heading, message: mapValues(forms, messageFor), sent, mailNote };
}
