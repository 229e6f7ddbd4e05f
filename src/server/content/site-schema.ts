import { z } from 'zod';
import { type FormName, formNames } from '../../model/form-field.ts';
import { forms } from '../../model/forms.ts';
import { mapValues } from '../../model/map-values.ts';
import { fill, type Phrase } from '../../model/phrase.ts';
import { routes } from '../../model/routes.ts';
import type { Site } from '../../model/site.ts';
import { sentencesLike } from './catalogue.ts';
import { closuresSchema } from './closures.ts';
import { defaults } from './defaults.ts';
import { type Theme, themeSchema } from './theme.ts';
import { chooseByPhone, composeAlternativeContact, type UnsentText } from './unsent-message.ts';
import {
  dayOrNever,
  httpsAddress,
  languageTag,
  oneOrMore,
  phoneNumber,
  trueOrFalse,
  words,
} from './words.ts';

/**
 * The schema of site.yaml. The messages are read by a volunteer, not a programmer, and the descriptions in an editor: of names
 * that the defaults do not have (build/editor-schemas.ts).
 */

const mailAddress = z.email({ error: 'expected one e-mail address' });
const webAddress = z.url({ protocol: /^https?$/, error: 'expected an address that begins with https://' });

/** site.yaml as it is written: the defaults give the names of the sentences. */
type Written = Omit<Site, 'shell' | 'alternativeContact' | 'form'> & {
  shell: Site['shell'] & { charity: Phrase };
  alternativeContact: UnsentText;
  form: Site['form'] & { receipt: { changeWithoutPhone: Phrase } };
};
const ours = defaults['site.yaml'] as Written;
const block = <Name extends keyof Written>(name: Name) =>
  z.strictObject(sentencesLike(ours[name] as Written[Name] & object, `site:${name}`));

const aCharity = 'expected CC and a number, such as CC12345';

const socialLink = z.strictObject({ name: words, url: httpsAddress });

const socialLinks = oneOrMore(socialLink, z.array(socialLink).max(4, 'expected four at most'));

const pageText = z.strictObject({
  ...sentencesLike(ours.pages.help, 'site:pages.help'),
  photo: words.optional(),
});

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
  privacyChecked: dayOrNever,
  answerWithin: words,
  remindAfter: z.strictObject(mapValues(forms, () => workingDays)),
  social: socialLinks.describe('Where else you can be found: up to four.').optional(),
  charityNumber: z
    .string({ error: aCharity })
    .regex(/^CC\d{4,6}$/, { error: aCharity })
    .describe('Your number in the register of charities, in the footer of every page.')
    .optional(),
  closed: closuresSchema.describe('When you are closed. Every page says so from a week before.').optional(),
  closedText: block('closedText'),
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
  shieldedText: block('shieldedText'),
  shell: block('shell'),
  leave: block('leave').extend({ address: webAddress }),
  pages: z.strictObject(mapValues(routes, () => pageText)),
  cover: block('cover'),
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
  privacy: block('privacy'),
  deletedText: block('deletedText'),
  alternativeContact: block('alternativeContact'),
  form: block('form'),
  away: block('away'),
});

interface WrittenSite {
  site: Site;
  countSealed: boolean;
  privacyChecked: string;
  remindAfter: Record<FormName, number>;
  theme?: Theme;
}

/** Separates the texts of site.yaml from what visitors do not see. */
export const siteSchema = writtenSite.transform(
  ({
    theme,
    countSealed,
    privacyChecked,
    remindAfter,
    charityNumber,
    shell: { charity, ...shell },
    form: {
      receipt: { changeWithoutPhone, ...receipt },
      ...form
    },
    ...site
  }): WrittenSite => ({
    site: {
      ...site,
      shell,
      form: {
        ...form,
        receipt: { ...receipt, change: chooseByPhone(site.phone, receipt.change, changeWithoutPhone) },
      },
      owner: charityNumber ? `${site.organisation}. ${fill(charity, { charityNumber })}` : site.organisation,
      adminEmail: site.adminEmail ?? site.email,
      social: site.social ?? [],
      alternativeContact: composeAlternativeContact({ ...site, form: { receipt } }),
      closed: site.closed ?? [],
    },
    countSealed,
    privacyChecked,
    remindAfter,
    ...(theme ? { theme } : {}),
  }),
);
