import type { Way } from './choice-meanings.ts';
import type { Closure } from './closure.ts';
import type { FormName } from './form-field.ts';
import type { NextStep } from './next-step.ts';
import type { Glossary, Phrase } from './phrase.ts';
import type { PageName } from './routes.ts';
import type { ProblemText } from './validate.ts';

/** The content of site.yaml: who the trust is, and every sentence on the pages. */
export interface Site {
  /** The language of the content, and its own name. */
  language: { tag: string; name: string };
  organisation: Phrase;
  /** The public address, shown beside the forms. */
  email: string;
  /** The address of the footer's mail link. */
  adminEmail: string;
  /** The postal address. */
  address: string;
  /** The trust's number, and when somebody answers it, in words. */
  phone?: string | undefined;
  hours?: Phrase | undefined;
  /** How soon the trust replies, in words that end a sentence. */
  answerWithin: Phrase;
  /** In chronological order. */
  closed: Closure[];
  closedText: ClosedText;
  /** In the footer: the organisation, and that it is a registered charity where it says so. */
  owner: Phrase;
  /** Links in the footer. */
  social: { name: string; url: string }[];
  /** Words to mark as another language wherever they appear, also in questions, which have no marks. */
  otherLanguages: Glossary;
  /** Links to parts of a page. The id of the part is the original's label in lower case. */
  sectionLinks: { id: string; label: Phrase }[];
  /** Tabs, history and link previews show only the discreet title. */
  discreetTitles: boolean;
  discreetTitle: Phrase;
  /** The Women's Refuge portal is in the footer, and the content policy allows its frame. */
  shieldedSite: boolean;
  shieldedText: { button: Phrase; heading: string; close: Phrase };
  shell: ShellText;
  leave: LeaveText;
  pages: Record<PageName, PageText>;
  cover: { text: Phrase; photo: string };
  cards: Card[];
  /** In a row below the cards. */
  promises?: Phrase[] | undefined;
  privacy: PrivacyText;
  /** {deleted} in the privacy notice, with {retentionDays}: by what staff have seen, or with REMINDERS=off by the mail. */
  deletedText: { seen: Phrase; sent: Phrase };
  /** Beside a form: how to tell that it was not sent, and another way to reach the trust; `sent` once it was. */
  alternativeContact: { heading: Phrase; message: Record<FormName, Phrase>; sent: Phrase };
  form: FormText;
  away: AwayText;
}

/** The part of the site that is serialised into a page: without the words that only the server uses. */
export interface PageSite
  extends Omit<
    Site,
    | 'language'
    | 'pages'
    | 'leave'
    | 'form'
    | 'away'
    | 'closed'
    | 'closedText'
    | 'deletedText'
    | 'cover'
    | 'cards'
  > {
  cover: Omit<Site['cover'], 'photo'>;
  cards: Omit<Card, 'photo'>[];
  pages: Record<PageName, Omit<PageText, 'description'>>;
  leave: Omit<LeaveText, 'blank' | 'onePress' | 'twoPresses' | 'expired'>;
  form: Omit<FormText, 'trap'>;
}

/** For the time of a closure and the week before, with {from} and {until}. */
interface ClosedText {
  /** On every page, after the closure's own message. */
  soon: Phrase;
  now: Phrase;
  /** Replace the site's `hours` and `answerWithin` during the closure. */
  hours: Phrase;
  answerWithin: Phrase;
  /** Replaces `answerWithin` on the receipt in the week before, with {answerWithin}. */
  answerSoon: Phrase;
  /** First on the receipt. */
  receiptSoon: Phrase;
  receiptNow: Phrase;
}

/** On every page. */
interface ShellText {
  skip: Phrase;
  menu: Phrase;
  closeMenu: Phrase;
  /** The names of the link lists for screen readers. */
  pageList: Phrase;
  sectionList: Phrase;
  breadcrumb: Phrase;
  /** The labels of the footer's icons. */
  mailLink: Phrase;
  socialLink: Phrase;
  /** Below one photo of the photo service, and below several; with {names} and {service}. */
  photoCredit: Phrase;
  photosCredit: Phrase;
  /** The name of the list of languages for screen readers. */
  languageList: Phrase;
  /** Shown when the page could not be fetched in the language that the visitor chose. */
  languageFailed: Phrase;
}

/** The quick exit. */
interface LeaveText {
  /** The URL of a neutral page. */
  address: string;
  label: Phrase;
  /** For screen readers, after the label. */
  hint: Phrase;
  /** On the emptied page and in the tab until the neutral page has loaded. */
  blank: Phrase;
  /** Announced after a press of Shift, and when the next did not come in time. */
  onePress: Phrase;
  twoPresses: Phrase;
  expired: Phrase;
  /** On the Get Help page: what the exit does and cannot do. */
  about: { heading: Phrase; text: Phrase };
}

export interface PageText {
  breadcrumb: Phrase;
  heading: Phrase;
  subtitle: Phrase;
  /** For search engines and link previews. */
  description: Phrase;
  /** Keywords of the header photo. */
  photo?: string | undefined;
}

export interface Card {
  page: FormName;
  title: Phrase;
  description: Phrase;
  photo: string;
}

/** One sentence for each notice that principles 3 and 3A of the Privacy Act 2020 require, so that none can be forgotten. */
interface PrivacyText {
  heading: Phrase;
  /** A summary in two lines, with {deleted}. */
  short: Phrase;
  /** The label that unfolds the full notice. */
  more: Phrase;
  what: Phrase;
  why: Phrase;
  receives: Phrase;
  /** With {address}. */
  holds: Phrase;
  voluntary: Phrase;
  otherwise: Phrase;
  rights: Phrase;
  /** Whom to complain to. */
  complaint: Phrase;
  /** About a person for whom somebody else asks (principle 3A). Also at the box with which a visitor says so. */
  others: Phrase;
  /** With {deleted}. */
  kept: Phrase;
}

interface ReceiptText extends Record<FormName, { heading: Phrase; message: Phrase }> {
  /** What happens next, by what the answers allow. */
  next: Record<NextStep['kind'], Phrase> & {
    heading: Phrase;
    /** With {helpline}: the first of helplines.yaml, or for an urgent request the one that always answers. */
    meanwhile: Phrase;
  };
}

/** At a choice whose number or address is missing, with {choice}. */
interface HintText extends Record<Way, Phrase> {
  /** At a way of contact chosen together with a refusal; with {refusal} too. */
  both: Phrase;
  /** At a number or an email that cannot be one. */
  number: Phrase;
  address: Phrase;
}

interface FormText extends ProblemText {
  contactHeading: Phrase;
  messageHeading: Phrase;
  /** At a question that may be left empty. */
  optional: Phrase;
  /** Why the button is disabled. */
  incomplete: Phrase;
  /** Where scripts do not run, and nothing empties the fields. */
  noScript: Phrase;
  /** The label of the hidden field for programs, in the few browsers that show it. */
  trap: Phrase;
  /** Above the button: when the trust reads the form, where it has {hours}, and when it replies. */
  read: Phrase;
  answered: Phrase;
  send: Phrase;
  sending: Phrase;
  receipt: ReceiptText;
  hints: HintText;
  /** Between the choices that a receipt repeats. */
  listSeparator: string;
  /** Above the button and on the receipt, in a translation alone: in which language the trust answers. */
  answerNote: Phrase;
  referenceLabel: Phrase;
  goHome: Phrase;
  again: Phrase;
  /** After a success. */
  snackbar: Phrase;
  close: Phrase;
  /** Shown when sending has failed. Where empty, the alternative contact takes the focus without a message. */
  failureMessage: Phrase;
}

/** On the static page that the reverse proxy shows while the server is down. */
interface AwayText {
  heading: Phrase;
  message: Phrase;
  tryAgain: Phrase;
  /** For a visitor whose form was not received. */
  notSent: { heading: Phrase; message: Phrase };
  contact: { heading: Phrase; message: Phrase };
}
