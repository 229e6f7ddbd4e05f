import type { BotCheckClient } from '../../model/bot-check-client.ts';
import type { Definition, FormName } from '../../model/form-field.ts';
import type { Helplines } from '../../model/helplines.ts';
import { formQueries, operationNames } from '../../model/operations.ts';
import type { PageData, PagePhotos } from '../../model/page-data.ts';
import type { Photo, ShownPhoto } from '../../model/photo.ts';
import { pageNames } from '../../model/routes.ts';
import type { PageText, Site } from '../../model/site.ts';
import type { Photos } from '../photos/photos.ts';
import { wordsNow, yearInNewZealand } from './words-now.ts';

/** Runs one of the site's own documents, without the network. */
export type RunQuery = (document: string) => Promise<{ data?: unknown }>;

/** The home page shows one of this many, at random. */
const coverCount = 5;

export interface PageDataParts {
  site: Site;
  helplines: Helplines;
  meanings: PageData['meanings'];
  photos: Photos;
  botCheck: BotCheckClient;
  retentionDays: number;
  runQuery: RunQuery;
  now: Date;
}

/** What the pages are made from here, of which not all travels inside them. */
export interface FullPageData extends PageData {
  site: Site;
  helplines: Helplines;
  photos: PagePhotos<Photo>;
}

/** Without the words that stand elsewhere in the page, or nowhere: a visitor waits for every byte of it. */
export function travelling({ site, helplines, photos, ...data }: FullPageData): PageData {
  const { blank: _blank, onePress: _one, twoPresses: _two, expired: _expired, ...leave } = site.leave;
  const { away: _away, closed: _closed, closedText: _closedText, ...words } = site;
  const { trap: _trap, ...form } = site.form;
  const { checked: _checked, ...shownLines } = helplines;
  const shown = ({ description: _description, ...page }: PageText) => page;
  const pages = {
    home: shown(site.pages.home),
    help: shown(site.pages.help),
    contact: shown(site.pages.contact),
  };
  return {
    ...data,
    site: { ...words, pages, leave, form },
    helplines: shownLines,
    photos: shownPhotos(photos),
  };
}

function shownPhotos({ covers, cards, headers }: PagePhotos<Photo>): PagePhotos {
  const show = ({ alt, avg_color, folder, photographer, url, source }: Photo): ShownPhoto => {
    const shown = { alt, avg_color, folder };
    return source === 'pexels' ? { ...shown, source, photographer, url } : shown;
  };
  const showOne = (photo: Photo | null) => photo && show(photo);
  return {
    covers: covers.map(show),
    cards: cards.map(showOne),
    headers: { home: showOne(headers.home), help: showOne(headers.help), contact: showOne(headers.contact) },
  };
}

/** All the pages are rendered from; the home page's copies differ in `cover` alone. */
export async function gatherPageData({
  site,
  helplines,
  meanings,
  photos,
  botCheck,
  retentionDays,
  runQuery,
  now,
}: PageDataParts): Promise<FullPageData> {
  const firstOf = async (keywords: string | undefined) =>
    keywords === undefined ? null : ((await photos.search(keywords))[0] ?? null);
  const [help, contact, covers, cards, headers] = await Promise.all([
    fetchDefinition('help', runQuery),
    fetchDefinition('contact', runQuery),
    photos.search(site.cover.photo, coverCount),
    Promise.all(site.cards.map((card) => firstOf(card.photo))),
    Promise.all(pageNames.map(async (page) => [page, await firstOf(site.pages[page].photo)] as const)),
  ]);
  return {
    ...wordsNow(site, now),
    helplines,
    forms: { help, contact },
    meanings,
    photos: {
      covers,
      cards: cards.map(asDecoration),
      headers: Object.fromEntries(headers) as PagePhotos<Photo>['headers'],
    },
    cover: 0,
    botCheck,
    retentionDays,
    year: yearInNewZealand(now),
  };
}

/** A card's link is its words: read out with it, a picture says nothing that the words do not. */
const asDecoration = (photo: Photo | null): Photo | null => photo && { ...photo, alt: '' };

/** Null where it fails: the page is still worth having, and the browser asks again. */
async function fetchDefinition(name: FormName, runQuery: RunQuery): Promise<Definition | null> {
  try {
    const { data } = await runQuery(formQueries[name]);
    return (data as Record<string, Definition> | null)?.[operationNames[name].form] ?? null;
  } catch {
    return null;
  }
}
