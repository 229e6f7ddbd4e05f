import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../../test/support/forms.ts';
import { stored } from '../../../../test/support/submission-mail.ts';
import { meaningsOf } from '../../../model/choice-meanings.ts';
import type { FormName } from '../../../model/form-field.ts';
import { findNextStep } from '../../../model/next-step.ts';
import { findReplyTo } from './safe-contact.ts';

const email = fc.oneof(
  fc.constantFrom(
    ...['', ' sample@visitor.example ', 'sample@gmail,com', 'a@b@c.nz', 'sample@gmial', 'sample@visitor.con'],
    ...['sample@gmial.com', 'sample@kōwhai.nz', 'hōne@visitor.example', 'Sample <sample@visitor.example>'],
  ),
  fc.emailAddress(),
  fc.string({ unit: fc.constantFrom(...'ab@@..,; <>"+-'), maxLength: 20 }),
);
const ways = fc.subarray([
  'Phone call',
  'Text message',
  'Email',
  "Please don't contact me, I will contact you",
]);

const nextStepOf = (form: FormName, answers: Record<string, string | string[]>) =>
  findNextStep(meaningsOf(shippedContent.forms[form].definition), answers);

test('the receipt promises an email if, and only if, the mail to staff has an address to reply to', () => {
  fc.assert(
    fc.property(email, ways, (Email, SafeContact) => {
      const answers = { Email, SafeContact, Phone: '' };
      const { kind, choices } = nextStepOf('help', answers);
      const isPromised = kind === 'reach' && choices.includes('Email');
      expect(findReplyTo(stored('help', answers)) !== undefined).toBe(isPromised);
    }),
  );
});

test('a message without a number is promised a reply if, and only if, there is an address to reply to', () => {
  fc.assert(
    fc.property(email, (Email) => {
      const answers = { Email, Phone: '' };
      const isPromised = nextStepOf('contact', answers).kind === 'reply';
      expect(findReplyTo(stored('contact', answers)) !== undefined).toBe(isPromised);
    }),
  );
});
