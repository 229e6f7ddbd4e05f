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
  alternativeContact: { heading: Phrase; message: Record<FormName, Phrase>; sent: Phrase; mailNote: Phrase };
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

// The names of the sentences. Where each is seen and what is filled in: src/server/content/sentences.yaml.

/** For the time of a closure and the week before, with {from} and {until}. */
interface ClosedText {
  soon: Phrase;
  now: Phrase;
  hours: Phrase;
  answerWithin: Phrase;
  answerSoon: Phrase;
  receiptSoon: Phrase;
  receiptNow: Phrase;
}

/** On every page. */
interface ShellText {
  skip: Phrase;
  menu: Phrase;
  closeMenu: Phrase;
  pageList: Phrase;
  sectionList: Phrase;
  breadcrumb: Phrase;
  mailLink: Phrase;
  socialLink: Phrase;
  photoCredit: Phrase;
  photosCredit: Phrase;
  languageList: Phrase;
  languageFailed: Phrase;
}

/** The quick exit. */
interface LeaveText {
  address: string;
  label: Phrase;
  hint: Phrase;
  blank: Phrase;
  onePress: Phrase;
  twoPresses: Phrase;
  expired: Phrase;
  about: { heading: Phrase; text: Phrase };
}

export interface PageText {
  breadcrumb: Phrase;
  heading: Phrase;
  subtitle: Phrase;
  description: Phrase;
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
  short: Phrase;
  more: Phrase;
  what: Phrase;
  why: Phrase;
  receives: Phrase;
  holds: Phrase;
  voluntary: Phrase;
  otherwise: Phrase;
  rights: Phrase;
  complaint: Phrase;
  others: Phrase;
  kept: Phrase;
}

interface ReceiptText extends Record<FormName, { heading: Phrase; message: Phrase }> {
  /** How somebody who asked for help changes or stops it. */
  change: Phrase;
  next: Record<NextStep['kind'], Phrase> & {
    heading: Phrase;
    meanwhile: Phrase;
  };
}

/** At a choice whose number or address is missing, or at an answer that nobody can be reached by. */
interface HintText extends Record<Way, Phrase> {
  both: Phrase;
  number: Phrase;
  address: Phrase;
  meant: Phrase;
}

interface FormText extends ProblemText {
  useHelp: Phrase;
  contactHeading: Phrase;
  messageHeading: Phrase;
  optional: Phrase;
  atLeastOne: Phrase;
  chosen: Phrase;
  more: Phrase;
  needed: Phrase;
  noScript: Phrase;
  trap: Phrase;
  read: Phrase;
  answered: Phrase;
  send: Phrase;
  sending: Phrase;
  offline: Phrase;
  receipt: ReceiptText;
  hints: HintText;
  listSeparator: string;
  answerNote: Phrase;
  referenceLabel: Phrase;
  goHome: Phrase;
  again: Phrase;
  snackbar: Phrase;
  close: Phrase;
  failureMessage: Phrase;
}

/** On the static page that the reverse proxy shows while the server is down. */
interface AwayText {
  heading: Phrase;
  message: Phrase;
  tryAgain: Phrase;
  notSent: { heading: Phrase; message: Phrase };
  contact: { heading: Phrase; message: Phrase };
}
