import type { Entry } from '../../../model/answers.ts';

/** What a person may say after sending. Both can be undone. */
export const wishes = ['no-contact', 'withdrawn'] as const;
/** They asked us not to contact them any more, or they withdrew it. */
export type Wish = (typeof wishes)[number];

/** Something that was said about a submission after it was sent. Staff are mailed each, and answers stay as they were. */
export interface Change {
  at: Date;
  /** Null: an undo on the page for staff, which asks for no name. */
  by: string | null;
  /** `unreached`: somebody on the team tried to reach them. `details`: a new number or address, or a note. */
  said: Wish | 'unreached' | 'details';
  isUndo?: boolean;
  /** The details, by the keys of {@link detailKeys}. Sealed if answers are. */
  answers?: Entry[] | { sealed: string };
}

/** Keys of questions, so that a sealed one opens as answers do. */
export const detailKeys = { phone: 'Phone', email: 'Email', note: 'Note' } as const;

/** Staff are mailed about a change by this job, which the transaction writes that stores the change. */
export const changedKind = 'changed';

/** Somebody who presses without end is mailed about at this pace. */
export const changePace = { most: 4, withinMs: 3_600_000, waitMs: 15 * 60_000 } as const;

/** Characters. With so many stored, a withdrawal or a press is refused, and an undo is not. A hundred presses are fewer. */
export const mostChanges = 10_000;
/** Characters with those that the command stores, and *no contact*. */
export const mostDetails = 200_000;

/** What was withdrawn is erased after so many days: somebody else may have the link, and staff can undo it. */
export const withdrawnDays = 7;
