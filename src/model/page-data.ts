import type { Answers } from './answers.ts';
import type { BotCheckClient } from './bot-check-client.ts';
import type { Meanings } from './choice-meanings.ts';
import type { ClosedNotice } from './closure.ts';
import type { Definition, FormName } from './form-field.ts';
import type { Helplines } from './helplines.ts';
import type { PageLanguage } from './language.ts';
import type { NextStep } from './next-step.ts';
import type { Receipt } from './operations.ts';
import type { MenuLink } from './own-page.ts';
import type { ShownPhoto } from './photo.ts';
import type { PageName } from './routes.ts';
import type { PageSite } from './site.ts';
import type { Problem } from './validate.ts';

/** Everything a page is rendered from. Serialised into the page for hydration. */
export interface PageData {
  /** The language of the page. */
  language: PageLanguage;
  /** The languages that a visitor can choose, the original first. Absent where there is only the original. */
  languages?: PageLanguage[];
  /** The language is not offered yet: only a person who checks the translation sees this page. */
  preview?: true;
  site: PageSite;
  helplines: Omit<Helplines, 'checked'>;
  forms: Record<FormName, Definition>;
  /** Separate from the definitions, which GraphQL serves without meanings. */
  meanings: Record<FormName, Meanings>;
  photos: PagePhotos;
  /** The trust's own pages in the bar and the drawer. */
  menu?: MenuLink[];
  /** Those in the footer, with the prefix of the language in their paths. */
  footer?: MenuLink[];
  /** While the trust is closed, and in the week before. */
  closed?: ClosedNotice | undefined;
  /** The index of the cover in this copy of the home page. */
  cover: number;
  botCheck: BotCheckClient;
  /** For the footer. The browser's clock may disagree, and hydration would fail. */
  year: number;
  /** On the page that is the response to a natively submitted form. */
  posted?: Posted;
}

/** The outcome of a posted form: the receipt, or the form again with its answers. */
export type Posted =
  | { status: 'sent'; receipt: Receipt; next: NextStep }
  | { status: 'invalid'; answers: Answers; problem: Problem }
  | { status: 'failed'; answers: Answers }
  /** The visitor chose another language: nothing was sent, and the answers go along. */
  | { status: 'switched'; answers: Answers };

export interface PagePhotos<Photo = ShownPhoto> {
  covers: Photo[];
  /** One for each of the site's cards. */
  cards: (Photo | null)[];
  headers: Record<PageName, Photo | null>;
}

/** The ids of the element with the page data, and of React's root. */
export const pageDataId = 'page-data';
export const rootId = 'root';
/** On the `<html>` of a page that is the response to a posted form. */
export const postedAttribute = 'data-posted';
/** The live region that counts presses of Shift; its data has the exit's texts for the inline script. */
export const leaveElementId = 'leaving';
/** The path of blanked history entries; redirects to the neutral page. No page of a trust can have this path. */
export const blankPath = '/-';
/** The script element of the client bundle; its data names the chunk of the forms. */
export const entryElementId = 'entry';
/** The `<template>` that holds the scripts until the first paint. */
export const waitingScriptsId = 'scripts';

/** Each built file can also be fetched from these folders: a browser may cache a failed import by its URL. */
export const retryFolder = (attempt: number): string => `again-${attempt}/`;
export const retryFolderPattern = /\/again-\d\//;

/** The only Trusted Types policy, for the URL of the worker. */
export const trustedTypesPolicy = 'awhina';

/** Shows a photo's average colour until it has loaded. A class, because the content policy forbids style attributes. */
export function colourClass(photo: ShownPhoto): string {
  return `tone-${photo.avg_color.slice(1).toLowerCase()}`;
}

export function allPhotos({ covers, cards, headers }: PagePhotos): ShownPhoto[] {
  return [...covers, ...cards, ...Object.values(headers)].filter((photo) => photo !== null);
}
