import { z } from 'zod';
import type { FormField } from '../../model/form-field.ts';
import { formNames } from '../../model/form-field.ts';
import { pageNames } from '../../model/routes.ts';
import type { Site } from '../../model/site.ts';
import { words } from './words.ts';

/** What the files in content/ must look like. The messages are read by a volunteer, not a programmer. */

const wordsOrNothing = z.string({ error: "expected words, or '' for none" });
const trueOrFalse = z.boolean({ error: 'expected true or false' });
const mailAddress = z.email('expected one e-mail address');
const webAddress = z.url({ protocol: /^https?$/, error: 'expected an address that begins with https://' });
const httpsAddress = z.url({ protocol: /^https$/, error: 'expected an address that begins with https://' });

const pageText = z.strictObject({
  heading: words,
  subtitle: wordsOrNothing,
  description: words,
  photo: words.optional(),
});
const sentText = z.strictObject({ heading: words, message: words });

export const siteSchema = z.strictObject({
  organisation: words,
  email: mailAddress,
  adminEmail: mailAddress,
  address: words,
  social: z.strictObject({ name: words, url: httpsAddress }),
  otherLanguages: z.record(
    z.string().regex(/^[a-z]{2,3}$/, 'expected a language, such as mi'),
    z.array(z.string().regex(/^[\p{L} '’-]+$/u, 'expected letters only'), {
      error: 'expected a list of words',
    }),
  ),
  sectionLinks: z.array(words),
  discreetTitles: trueOrFalse,
  discreetTitle: words,
  shieldedSite: trueOrFalse,
  shieldedText: z.strictObject({ button: words, heading: words, close: words }),
  shell: z.strictObject({
    skip: words,
    menu: words,
    closeMenu: words,
    pageList: words,
    sectionList: words,
    breadcrumb: words,
    mailLink: words,
    socialLink: words,
  }),
  leave: z.strictObject({
    address: webAddress,
    label: words,
    hint: words,
    blank: words,
    onePress: words,
    twoPresses: words,
    expired: words,
    about: z.strictObject({ heading: words, text: words }),
  }),
  pages: z.strictObject({ home: pageText, help: pageText, contact: pageText }),
  cover: z.strictObject({ text: words, photo: words }),
  cards: z.array(
    z.strictObject({
      page: z.enum(formNames, { error: `expected one of: ${formNames.join(', ')}` }),
      title: words,
      description: words,
      photo: words,
    }),
  ),
  promises: z
    .array(words, { error: 'expected a list of sentences' })
    .min(1, 'expected at least one')
    .optional(),
  privacy: z.strictObject({
    heading: words,
    what: words,
    why: words,
    receives: words,
    holds: words.includes('{address}', { error: 'must have {address} in it: where the answers are held' }),
    voluntary: words,
    otherwise: words,
    rights: words,
    kept: words.includes('{retentionDays}', {
      error: 'must have {retentionDays} in it: how long they are kept',
    }),
  }),
  alternativeContact: z.strictObject({ heading: words, message: words }),
  form: z.strictObject({
    contactHeading: words,
    messageHeading: words,
    optional: words,
    incomplete: words,
    noScript: words,
    trap: words,
    send: words,
    sending: words,
    sent: z.strictObject({ help: sentText, contact: sentText }),
    referenceLabel: words,
    goHome: words,
    again: words,
    snackbar: words,
    close: words,
    failureMessage: wordsOrNothing,
    unavailable: words,
    tryAgain: words,
  }),
}) satisfies z.ZodType<Site>;

const question = {
  key: z.string({ error: 'expected a name' }).regex(/^[A-Za-z][A-Za-z0-9]*$/, {
    error: 'expected letters and digits only, such as FirstName',
  }),
  displayName: words,
  description: words,
  required: trueOrFalse,
};
const types = ['text', 'textarea', 'boolean', 'checkbox'] as const;

const fieldSchema: z.ZodType<FormField> = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ ...question, type: z.literal('text') }),
    z.strictObject({ ...question, type: z.literal('textarea') }),
    z.strictObject({ ...question, type: z.literal('boolean') }),
    z.strictObject({
      ...question,
      type: z.literal('checkbox'),
      choices: z
        .array(words, { error: 'expected a list of choices' })
        .min(1, 'expected at least one choice')
        .refine((choices) => new Set(choices).size === choices.length, 'has the same choice twice'),
    }),
  ],
  { error: `expected a type: one of ${types.join(', ')}` },
);

export const definitionSchema = z
  .array(fieldSchema, { error: 'expected a list of questions' })
  .min(1, 'expected at least one question')
  .superRefine((fields, context) => {
    const seen = new Set<string>();
    for (const [index, { key }] of fields.entries()) {
      if (seen.has(key)) {
        context.addIssue({ code: 'custom', path: [index, 'key'], message: `the key ${key} is used twice` });
      }
      seen.add(key);
    }
  });

/** Keywords the pages ask the photo search for. */
export function photoKeywords(site: Site): string[] {
  const pages = pageNames.flatMap((name) => site.pages[name].photo ?? []);
  return [...new Set([site.cover.photo, ...site.cards.map((card) => card.photo), ...pages])];
}
