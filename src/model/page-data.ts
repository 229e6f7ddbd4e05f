import type { Answers } from './answers.ts';
import type { BotCheckClient } from './bot-check-client.ts';
import type { Meanings } from './choice-meanings.ts';
import type { ClosedNotice } from './closure.ts';
import type { Definition, FormName } from './form-field.ts';
import type { Helplines } from './helplines.ts';
import type { NextStep } from './next-step.ts';
import type { Receipt } from './operations.ts';
import type { MenuLink } from './own-page.ts';
import type { ShownPhoto } from './photo.ts';
import type { PageName } from './routes.ts';
import type { PageSite } from './site.ts';
import type { Problem } from './validate.ts';

/** Everything a page is rendered from. It travels inside the page, so that the browser starts from the same. */
export interface PageData {
  site: PageSite;
  helplines: Omit<Helplines, 'checked'>;
  /** Null where the questions could not be had: the browser then asks for them itself. */
  forms: Record<FormName, Definition | null>;
  /** What choices say to us beyond their words, which is all that the questions tell. */
  meanings: Record<FormName, Meanings>;
  photos: PagePhotos;
  /** The trust's own pages that the bar and the drawer lead to; none where there are none. */
  menu?: MenuLink[];
  /** Where the trust is closed, or will be within a week. */
  closed?: ClosedNotice | undefined;
  /** Which of the covers this copy of the home page shows. */
  cover: number;
  botCheck: BotCheckClient;
  /** How long this site keeps a submission, for the privacy notice. */
  retentionDays: number;
  /** The footer's. A browser's own clock might disagree with the page it was sent. */
  year: number;
  /** Where this page is the answer to a form that the browser posted by itself. */
  posted?: Posted;
}

/** What became of it: the sent view, or the form again with all that was typed. */
export type Posted =
  | { status: 'sent'; receipt: Receipt; next: NextStep }
  | { status: 'invalid'; answers: Answers; problem: Problem }
  | { status: 'failed'; answers: Answers };

export interface PagePhotos<Photo = ShownPhoto> {
  covers: Photo[];
  /** One for each of the site's cards. */
  cards: (Photo | null)[];
  headers: Record<PageName, Photo | null>;
}

/** The id of the element the data travels in, and of the one React fills. */
export const pageDataId = 'page-data';
export const rootId = 'root';
/** On the `<html>` of a page that answers a form. */
export const postedAttribute = 'data-posted';
/** Says how near three presses of Shift are, and carries the words of leaving for the script that runs first. */
export const leaveElementId = 'leaving';
/** Leads on to the neutral page. It says nothing, and no page of a trust's own can have it (small letters and digits). */
export const blankPath = '/-';
/** The element that starts the site's own script, and says under which name the forms' part lies beside it. */
export const entryElementId = 'entry';
/** The `<template>` in which the site's scripts wait until the page has been painted. */
export const waitingScriptsId = 'scripts';

/** The built files are in each of these folders too: another address for what was lost under its own. */
export const againFolder = (again: number): string => `again-${again}/`;
export const againPattern = /\/again-\d\//;

/** The one Trusted Types policy there is: the page makes it for the address of its worker. */
export const trustedTypesPolicy = 'awhina';

/**
 * The class that gives a photo's place its average colour. The rules stand in the page's one style sheet: the content
 * policy allows no style attribute.
 */
export function colourClass(photo: ShownPhoto): string {
  return `tone-${photo.avg_color.slice(1).toLowerCase()}`;
}

export function allPhotos({ covers, cards, headers }: PagePhotos): ShownPhoto[] {
  return [...covers, ...cards, ...Object.values(headers)].filter((photo) => photo !== null);
}
