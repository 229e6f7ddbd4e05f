import type { Way } from './choice-meanings.ts';
import type { Closure } from './closure.ts';
import type { FormName } from './form-field.ts';
import type { NextStep } from './next-step.ts';
import type { Glossary, Phrase } from './phrase.ts';
import type { PageName } from './routes.ts';
import type { ProblemText } from './validate.ts';

/** What site.yaml says: who the trust is, and every sentence on the pages. */
export interface Site {
  organisation: Phrase;
  /** The public address, shown beside the forms. */
  email: string;
  /** The general address behind the footer's mail icon. */
  adminEmail: string;
  /** Where the trust can be found or written to. */
  address: string;
  /** The trust's own number, and when somebody answers it, in words; none where it is not to be rung. */
  phone?: string | undefined;
  hours?: Phrase | undefined;
  /** How soon somebody is answered, in words that end a sentence. */
  answerWithin: Phrase;
  /** When nobody reads what is sent, in the order of time, and what the pages say about it. */
  closed: Closure[];
  closedText: ClosedText;
  /** Where else the trust can be found; the footer shows each. */
  social: { name: string; url: string }[];
  /** Words of other languages that may stand anywhere, by language: also in the questions, which carry no marks. */
  otherLanguages: Glossary;
  /** Labels; each scrolls to the element whose id is the label in lower case. */
  sectionLinks: string[];
  /** True: tabs, history and link previews say only the discreet title. */
  discreetTitles: boolean;
  discreetTitle: Phrase;
  /** True: the Women's Refuge portal is in the footer, and the content policy lets its frame in. */
  shieldedSite: boolean;
  shieldedText: { button: Phrase; heading: string; close: Phrase };
  shell: ShellText;
  leave: LeaveText;
  pages: Record<PageName, PageText>;
  cover: { text: Phrase; photo: string };
  cards: Card[];
  /** What everyone may rely on, in a row below the cards; no row where there are none. */
  promises?: Phrase[] | undefined;
  privacy: PrivacyText;
  /** Beside a form: how to tell that it was not sent, with another way; and that way alone once it was. */
  alternativeContact: { heading: Phrase; message: Record<FormName, Phrase>; sent: Phrase };
  form: FormText;
  away: AwayText;
}

/** What of it travels inside a page: all but the words that only the server puts there. */
export interface PageSite extends Omit<Site, 'pages' | 'leave' | 'form' | 'away' | 'closed' | 'closedText'> {
  pages: Record<PageName, Omit<PageText, 'description'>>;
  leave: Omit<LeaveText, 'blank' | 'onePress' | 'twoPresses' | 'expired'>;
  form: Omit<FormText, 'trap'>;
}

/** While the trust is closed and in the week before, with {from} and {until}. */
export interface ClosedText {
  /** On every page, after the trust's own sentence. */
  soon: Phrase;
  now: Phrase;
  /** In place of `hours` and `answerWithin` while it is closed. */
  hours: Phrase;
  answerWithin: Phrase;
  /** In its place on the receipt in the week before, with {answerWithin}: it may fall into the closure. */
  answerSoon: Phrase;
  /** On the receipt, first. */
  receiptSoon: Phrase;
  receiptNow: Phrase;
}

/** The words around every page. */
export interface ShellText {
  skip: Phrase;
  menu: Phrase;
  closeMenu: Phrase;
  /** What a screen reader calls the lists of links. */
  pageList: Phrase;
  sectionList: Phrase;
  breadcrumb: Phrase;
  /** What the footer's icons stand for. */
  mailLink: Phrase;
  socialLink: Phrase;
  /** Below one photo of the photo service, and below several; with {names} and {service}. */
  photoCredit: Phrase;
  photosCredit: Phrase;
}

/** The way out of the site in one touch. */
export interface LeaveText {
  /** A page that says nothing about the visitor, and looks the same to everyone. */
  address: string;
  label: Phrase;
  /** Read out after the label. */
  hint: Phrase;
  /** On the emptied page and in the tab until the other page is there. */
  blank: Phrase;
  /** Read out after each press of Shift, and when the next did not come in time. */
  onePress: Phrase;
  twoPresses: Phrase;
  expired: Phrase;
  /** On the Get Help page: what it does, and what it cannot do. */
  about: { heading: Phrase; text: Phrase };
}

export interface PageText {
  /** What the line above the heading calls it. */
  breadcrumb: Phrase;
  /** The page's heading. */
  heading: Phrase;
  subtitle: Phrase;
  /** For search engines and link previews. */
  description: Phrase;
  /** Keywords of the header photo; none where it has none. */
  photo?: string | undefined;
}

export interface Card {
  page: FormName;
  title: Phrase;
  description: Phrase;
  photo: string;
}

/**
 * One sentence for each thing that principle 3 of the Privacy Act 2020 wants said where something is collected, so
 * that none can be forgotten.
 */
export interface PrivacyText {
  heading: Phrase;
  /** All of it in two lines, with {retentionDays}. */
  short: Phrase;
  /** What opens the sentences themselves. */
  more: Phrase;
  what: Phrase;
  why: Phrase;
  receives: Phrase;
  /** With {address}. */
  holds: Phrase;
  voluntary: Phrase;
  otherwise: Phrase;
  rights: Phrase;
  /** With {retentionDays}, which is a setting. */
  kept: Phrase;
}

export interface ReceiptText extends Record<FormName, { heading: Phrase; message: Phrase }> {
  /** What happens next, by what the answers allow. */
  next: Record<NextStep['kind'], Phrase> & {
    heading: Phrase;
    /** With {helpline}: the first of helplines.yaml, or for an urgent request the one that always answers. */
    meanwhile: Phrase;
  };
}

/** Beside a choice that needs something which was not given; with {choice}. */
export interface HintText extends Record<Way, Phrase> {
  /** Beside a way together with a refusal; with {refusal} too. */
  both: Phrase;
  /** At a number or an email that nobody can be reached at. */
  number: Phrase;
  address: Phrase;
}

export interface FormText extends ProblemText {
  contactHeading: Phrase;
  messageHeading: Phrase;
  /** Beside the name of a question that may be left empty. */
  optional: Phrase;
  /** Why the button cannot be pressed yet. */
  incomplete: Phrase;
  /** Where scripts do not run, and nothing can take away what was typed. */
  noScript: Phrase;
  /** At a field that is there for programs to fill in, in the few browsers that show it. */
  trap: Phrase;
  /** Above the button: when it is read, where the trust says its {hours}, and when it is answered. */
  read: Phrase;
  answered: Phrase;
  send: Phrase;
  sending: Phrase;
  receipt: ReceiptText;
  hints: HintText;
  referenceLabel: Phrase;
  goHome: Phrase;
  again: Phrase;
  /** The snackbar's words after a success. */
  snackbar: Phrase;
  close: Phrase;
  /** Shown when a send has failed for good. Empty: nothing is shown, and the alternative contact takes the focus. */
  failureMessage: Phrase;
  /** Shown in place of a form whose questions could not be fetched, with a button to try again. */
  unavailable: Phrase;
  tryAgain: Phrase;
}

/** On the static page that the web server in front shows while the site itself cannot answer. */
export interface AwayText {
  heading: Phrase;
  message: Phrase;
  tryAgain: Phrase;
  /** To whoever sent a form just then. */
  notSent: { heading: Phrase; message: Phrase };
  contact: { heading: Phrase; message: Phrase };
}
