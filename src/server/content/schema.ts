import { z } from 'zod';
import type { FormField } from '../../model/form-field.ts';
import { formNames } from '../../model/form-field.ts';
import { pageNames } from '../../model/routes.ts';
import type { Site } from '../../model/site.ts';
import { type Theme, themeSchema } from './theme.ts';
import { phoneNumber, words } from './words.ts';

/** What the files in content/ must look like. The messages are read by a volunteer, not a programmer. */

const wordsOrNothing = z.string({ error: "expected words, or '' for none" });
const trueOrFalse = z.boolean({ error: 'expected true or false' });
const mailAddress = z.email({ error: 'expected one e-mail address' });
const webAddress = z.url({ protocol: /^https?$/, error: 'expected an address that begins with https://' });
const httpsAddress = z.url({ protocol: /^https$/, error: 'expected an address that begins with https://' });

const withDays = words.includes('{retentionDays}', {
  error: 'must have {retentionDays} in it: how long the answers are kept',
});

const socialLink = z.strictObject({ name: words, url: httpsAddress });

/** One, or a list of them. Not a union, which would say of a mistake only that it is neither. */
const socialLinks = z.unknown().transform((written, context) => {
  const list = z.array(socialLink).max(4, 'expected four at most');
  const read = (Array.isArray(written) ? list : socialLink).safeParse(written);
  if (read.success) return [read.data].flat();
  context.issues.push(...(read.error.issues as z.core.$ZodRawIssue[]));
  return z.NEVER;
});

const pageText = z.strictObject({
  breadcrumb: words,
  heading: words,
  subtitle: wordsOrNothing,
  description: words,
  photo: words.optional(),
});
const sentText = z.strictObject({ heading: words, message: words });

const writtenSite = z.strictObject({
  organisation: words,
  email: mailAddress,
  adminEmail: mailAddress.optional(),
  address: words,
  phone: phoneNumber.optional(),
  hours: words.optional(),
  answerWithin: words,
  social: socialLinks.optional(),
  theme: themeSchema.optional(),
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
    photoCredit: words,
    photosCredit: words,
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
    short: withDays,
    more: words,
    what: words,
    why: words,
    receives: words,
    holds: words.includes('{address}', { error: 'must have {address} in it: where the answers are held' }),
    voluntary: words,
    otherwise: words,
    rights: words,
    kept: withDays,
  }),
  alternativeContact: z.strictObject({ heading: words, message: words }),
  form: z.strictObject({
    contactHeading: words,
    messageHeading: words,
    optional: words,
    incomplete: words,
    required: words,
    tooLong: words,
    noScript: words,
    trap: words,
    send: words,
    sending: words,
    sent: z.strictObject({ help: sentText, contact: sentText }),
    next: z.strictObject({
      heading: words,
      reach: words.includes('{choices}', { error: 'must have {choices} in it: the ways somebody chose' }),
      reply: words,
      none: words,
      unreachable: words,
      meanwhile: words,
    }),
    hints: z.strictObject({ call: words, text: words, email: words, post: words, both: words }),
    referenceLabel: words,
    goHome: words,
    again: words,
    snackbar: words,
    close: words,
    failureMessage: wordsOrNothing,
    unavailable: words,
    tryAgain: words,
  }),
});

/** What site.yaml says about the words, and about the looks. */
export const siteSchema = writtenSite.transform(({ theme, ...site }): { site: Site; theme?: Theme } => ({
  site: { ...site, adminEmail: site.adminEmail ?? site.email, social: site.social ?? [] },
  ...(theme ? { theme } : {}),
}));

const question = {
  key: z.string({ error: 'expected a name' }).regex(/^[A-Za-z][A-Za-z0-9]*$/, {
    error: 'expected letters and digits only, such as FirstName',
  }),
  displayName: words,
  description: words,
  required: trueOrFalse,
};
const types = ['text', 'textarea', 'boolean', 'checkbox'] as const;

interface Choice {
  label: string;
  means?: string | undefined;
  asks?: string | undefined;
}
/** Its words alone, or its words and what they mean. */
const choice = z.union(
  [
    words.transform((label): Choice => ({ label })),
    z.strictObject({ label: words, means: words.optional(), asks: words.optional() }),
  ],
  { error: 'expected words, or label, means and asks, such as { label: Email, means: email, asks: Email }' },
);

const fieldSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ ...question, type: z.literal('text') }),
    z.strictObject({ ...question, type: z.literal('textarea') }),
    z.strictObject({ ...question, type: z.literal('boolean') }),
    z.strictObject({
      ...question,
      type: z.literal('checkbox'),
      choices: z
        .array(choice, { error: 'expected a list of choices' })
        .min(1, 'expected at least one choice')
        .refine(
          (choices) => new Set(choices.map(({ label }) => label)).size === choices.length,
          'has the same choice twice',
        ),
    }),
  ],
  { error: `expected a type: one of ${types.join(', ')}` },
);

export const definitionSchema = z
  .array(fieldSchema, { error: 'expected a list of questions' })
  .min(1, 'expected at least one question')
  .superRefine((fields, context) => {
    const problem = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const written = fields.flatMap(({ key, type }) => (type === 'text' || type === 'textarea' ? key : []));
    for (const [index, field] of fields.entries()) {
      if (fields.findIndex(({ key }) => key === field.key) < index)
        problem([index, 'key'], `the key ${field.key} is used twice`);
      for (const [place, { asks }] of choicesOf(field).entries())
        if (asks && !written.includes(asks))
          problem(
            [index, 'choices', place],
            `asks names no question that is answered in words: it is one of ${written.join(', ')}`,
          );
    }
  })
  .transform((fields): FormField[] => fields.map(toField)) satisfies z.ZodType<FormField[]>;

type WrittenField = z.output<typeof fieldSchema>;

const choicesOf = (field: WrittenField): Choice[] => (field.type === 'checkbox' ? field.choices : []);

/** The choices as GraphQL tells them, and their meanings beside them. */
function toField(field: WrittenField): FormField {
  if (field.type !== 'checkbox') return field;
  const meanings = field.choices.flatMap(({ label, means, asks }: Choice) =>
    means === undefined ? [] : [{ choice: label, means, ...(asks === undefined ? {} : { asks }) }],
  );
  const choices = field.choices.map(({ label }) => label);
  return { ...field, choices, ...(meanings.length > 0 ? { meanings } : {}) };
}

/** Keywords the pages ask the photo search for. */
export function photoKeywords(site: Site): string[] {
  const pages = pageNames.flatMap((name) => site.pages[name].photo ?? []);
  return [...new Set([site.cover.photo, ...site.cards.map((card) => card.photo), ...pages])];
}
