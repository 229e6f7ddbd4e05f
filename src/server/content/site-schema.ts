import { z } from 'zod';
import { type FormName, formNames } from '../../model/form-field.ts';
import { forms } from '../../model/forms.ts';
import { mapValues } from '../../model/map-values.ts';
import { fill } from '../../model/phrase.ts';
import { routes } from '../../model/routes.ts';
import type { Site } from '../../model/site.ts';
import { closuresSchema } from './closures.ts';
import { type Theme, themeSchema } from './theme.ts';
import { composeAlternativeContact } from './unsent-message.ts';
import { httpsAddress, languageTag, oneOrMore, phoneNumber, trueOrFalse, words } from './words.ts';

/**
 * The schema of site.yaml. The messages are read by a volunteer, not a programmer, and the descriptions in an editor: of names
 * that the defaults do not have (build/editor-schemas.ts).
 */

const wordsOrNothing = z.string({ error: "expected words, or '' for none" });
const mailAddress = z.email({ error: 'expected one e-mail address' });
const webAddress = z.url({ protocol: /^https?$/, error: 'expected an address that begins with https://' });

const withDays = words.includes('{retentionDays}', {
  error: 'must have {retentionDays} in it: how long the answers are kept',
});
const withDeleted = words.regex(/\{(deleted|retentionDays)\}/, {
  error: 'must have {deleted} in it: how long the answers are kept',
});

const withUntil = words.includes('{until}', {
  error: 'must have {until} in it: the day somebody reads again',
});

const aCharity = 'expected CC and a number, such as CC12345';

const socialLink = z.strictObject({ name: words, url: httpsAddress });

const socialLinks = oneOrMore(socialLink, z.array(socialLink).max(4, 'expected four at most'));

const pageText = z.strictObject({
  breadcrumb: words,
  heading: words,
  subtitle: wordsOrNothing,
  description: words,
  photo: words.optional(),
});
const receiptText = z.strictObject({ heading: words, message: words });

const workingDays = z
  .int({ error: 'expected a whole number of working days, such as 1' })
  .min(1, 'expected 1 or more working days')
  .max(60, 'expected 60 working days at most');

const writtenSite = z.strictObject({
  language: z.strictObject({ tag: languageTag('en-NZ'), name: words }),
  organisation: words.describe('The name of your trust.'),
  email: mailAddress.describe('Where visitors can write to you. They see it.'),
  adminEmail: mailAddress.describe('The address at the foot of every page, if not email.').optional(),
  address: words.describe('Where your trust can be found, in one line.'),
  phone: phoneNumber.describe('Your own number, in quotes.').optional(),
  hours: words.describe('When somebody answers the phone and reads messages.').optional(),
  answerWithin: words,
  remindAfter: z.strictObject(mapValues(forms, () => workingDays)),
  social: socialLinks.describe('Where else you can be found: up to four.').optional(),
  charityNumber: z
    .string({ error: aCharity })
    .regex(/^CC\d{4,6}$/, { error: aCharity })
    .describe('Your number in the register of charities, in the footer of every page.')
    .optional(),
  closed: closuresSchema.describe('When you are closed. Every page says so from a week before.').optional(),
  closedText: z.strictObject({
    soon: withUntil,
    now: withUntil,
    hours: words,
    answerWithin: words,
    answerSoon: words,
    receiptSoon: withUntil,
    receiptNow: withUntil,
  }),
  theme: themeSchema
    .describe('How the site looks. Colours that cannot be read on each other are refused.')
    .optional(),
  otherLanguages: z.record(
    z.string().regex(/^[a-z]{2,3}$/, 'expected a language, such as mi'),
    z.array(z.string().regex(/^[\p{L} '’-]+$/u, 'expected letters only'), {
      error: 'expected a list of words',
    }),
  ),
  sectionLinks: z.array(words.transform((label) => ({ id: label.toLowerCase(), label }))),
  discreetTitles: trueOrFalse,
  discreetTitle: words,
  shieldedSite: trueOrFalse,
  countSealed: trueOrFalse,
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
    charity: words,
    photoCredit: words,
    photosCredit: words,
    languageList: words,
    languageFailed: words,
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
  pages: z.strictObject(mapValues(routes, () => pageText)),
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
    .describe('What everyone who asks you for help can count on. Say only what is always true.')
    .optional(),
  privacy: z.strictObject({
    heading: words,
    short: withDeleted,
    more: words,
    what: words,
    why: words,
    receives: words,
    holds: words.includes('{address}', { error: 'must have {address} in it: where the answers are held' }),
    voluntary: words,
    otherwise: words,
    rights: words,
    complaint: words,
    others: words,
    kept: withDeleted,
  }),
  deletedText: z.strictObject({
    seen: withDays.includes('{unseenRetentionDays}', {
      error: 'must have {unseenRetentionDays} in it: how long a request is kept that nobody has seen',
    }),
    sent: withDays,
  }),
  alternativeContact: z.strictObject({ heading: words, message: words, withoutPhone: words, sent: words }),
  form: z.strictObject({
    contactHeading: words,
    messageHeading: words,
    optional: words,
    incomplete: words,
    required: words,
    tooLong: words,
    noScript: words,
    trap: words,
    read: words,
    answered: words,
    send: words,
    sending: words,
    receipt: z.strictObject({
      ...mapValues(forms, () => receiptText),
      next: z.strictObject({
        heading: words,
        reach: words.includes('{choices}', { error: 'must have {choices} in it: the ways somebody chose' }),
        reply: words,
        none: words,
        unreachable: words,
        meanwhile: words,
      }),
    }),
    hints: z.strictObject({
      call: words,
      text: words,
      email: words,
      post: words,
      both: words,
      number: words,
      address: words,
    }),
    listSeparator: words,
    answerNote: words,
    referenceLabel: words,
    goHome: words,
    again: words,
    snackbar: words,
    close: words,
    failureMessage: wordsOrNothing,
  }),
  away: z.strictObject({
    heading: words,
    message: words,
    tryAgain: words,
    notSent: z.strictObject({ heading: words, message: words }),
    contact: z.strictObject({ heading: words, message: words }),
  }),
});

interface WrittenSite {
  site: Site;
  countSealed: boolean;
  remindAfter: Record<FormName, number>;
  theme?: Theme;
}

/** Separates the texts of site.yaml from the settings for counting and reminders, and from the theme. */
export const siteSchema = writtenSite.transform(
  ({
    theme,
    countSealed,
    remindAfter,
    charityNumber,
    shell: { charity, ...shell },
    ...site
  }): WrittenSite => ({
    site: {
      ...site,
      shell,
      owner: charityNumber ? `${site.organisation}. ${fill(charity, { charityNumber })}` : site.organisation,
      adminEmail: site.adminEmail ?? site.email,
      social: site.social ?? [],
      alternativeContact: composeAlternativeContact(site),
      closed: site.closed ?? [],
    },
    countSealed,
    remindAfter,
    ...(theme ? { theme } : {}),
  }),
);
