/**
 * The page on which staff say what they did about a request, and what its person asked for since. It has nothing of the
 * request's words, and only what keeps the person safe: not to contact them, to leave no message, and what to know before a
 * call.
 */

/** What the form of the page posts. */
export const staffFields = { name: 'by', step: 'step', undo: 'undo', since: 'since' } as const;

/** Above the page: what came of the last press. */
export type StaffMessage =
  /** Recorded just now. */
  | 'taken'
  | 'answered'
  /** They asked us not to contact them any more, or withdrew it. */
  | 'no-contact'
  | 'withdrawn'
  /** Somebody tried to reach them. */
  | 'unreached'
  | 'undone'
  /** Nothing was recorded: a colleague was first. */
  | 'late'
  /** Nothing was undone: the state is not the one that was shown. */
  | 'changed'
  /** Nothing was recorded: no name, or none that can be stored. */
  | 'name'
  /** Nothing was recorded: there is no room for more presses. */
  | 'many'
  /** Nothing was recorded: it was not a press of a button on this page. */
  | 'refused';

/**
 * When, in words. `since` is the time in milliseconds: what an undo is about. Not by whom: the link may have reached
 * somebody outside the team.
 */
export interface StaffStep {
  at: string;
  since: number;
}

/** Above everything else on the page. `stop`: this person must not be contacted. */
export interface ContactWarning {
  tone: 'stop' | 'caution';
  shout: string;
  lines: readonly string[];
}

/** Its first words are enough for somebody who is tired. */
export type Step = readonly [first: string, rest: string];

/** If a call or a text is safe: what limits it, and what to know before it. */
export interface CallCard {
  limits: readonly string[];
  steps: readonly Step[];
}

export interface StaffRequest {
  kind: 'request';
  reference: string;
  /** 'request' or 'message'. */
  noun: string;
  formTitle: string;
  receivedAt: string;
  isUrgent: boolean;
  warning: ContactWarning | null;
  callCard: CallCard | null;
  taken: StaffStep | null;
  answered: StaffStep | null;
  noContact: StaffStep | null;
  /** `erased`: on which day it will be, in words. */
  withdrawn: (StaffStep & { erased: string }) | null;
  message: StaffMessage | null;
  /** What stood in the field for the name, so that nobody has to type it again. */
  typed: string;
}

/** The database is away. */
export interface StaffUnavailable {
  kind: 'unavailable';
  reference: string;
  /** A button was pressed, and nobody knows whether that was recorded. */
  isPress: boolean;
}

/** The page behind a link that somebody presses to show that a mail was read. */
export interface StaffLetter {
  kind: 'letter';
  /** A test mail, and not a Monday letter. */
  isTest: boolean;
  /** What came of the press. `unavailable`: the database is away. */
  message: 'read' | 'refused' | 'unavailable' | null;
}

/** `nothing`: for every address that is not the one in a mail, and after a request was erased. */
export type StaffView = StaffRequest | StaffUnavailable | StaffLetter | { kind: 'nothing' };
