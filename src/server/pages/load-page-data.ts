import type { BotCheckClient } from '../../model/bot-check-client.ts';
import { meaningsOf } from '../../model/choice-meanings.ts';
import type { Definition, FormField } from '../../model/form-field.ts';
import type { Helplines } from '../../model/helplines.ts';
import type { MenuLink, OwnPage } from '../../model/own-page.ts';
import type { PageData, PagePhotos } from '../../model/page-data.ts';
import type { Photo, ShownPhoto } from '../../model/photo.ts';
import { pageNames } from '../../model/routes.ts';
import type { PageText, Site } from '../../model/site.ts';
import type { Content, Form } from '../content/content.ts';
import type { Photos } from '../photos/photos.ts';
import { applyClosure, nzYear } from './apply-closure.ts';

/** The home page shows one of these at random. */
const coverCount = 5;

interface PageDataParts {
  content: Content;
  photos: Photos;
  botCheck: BotCheckClient;
  retentionDays: number;
  now: Date;
}

/** The data that the server renders from. Not all of it is sent inside the page. */
export interface FullPageData extends PageData {
  site: Site;
  helplines: Helplines;
  photos: PagePhotos<Photo>;
}

/** Leaves out the words that the browser does not need, because a visitor waits for every byte. */
export function toClientData({ site, helplines, photos, ...data }: FullPageData): PageData {
  const { blank: _blank, onePress: _one, twoPresses: _two, expired: _expired, ...leave } = site.leave;
  const { language: _language, away: _away, closed: _closed, closedText: _closedText, ...words } = site;
  const { trap: _trap, ...form } = site.form;
  const { checked: _checked, ...shownLines } = helplines;
  const withoutDescription = ({ description: _description, ...page }: PageText) => page;
  const pages = {
    home: withoutDescription(site.pages.home),
    help: withoutDescription(site.pages.help),
    contact: withoutDescription(site.pages.contact),
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

/** The data of all pages. The copies of the home page differ in `cover` alone. */
export async function loadPageData(parts: PageDataParts): Promise<FullPageData> {
  const { content, photos, botCheck, retentionDays, now } = parts;
  const { site, helplines, forms, ownPages } = content;
  const firstOf = async (keywords: string | undefined) =>
    keywords === undefined ? null : ((await photos.search(keywords))[0] ?? null);
  const [covers, cards, headers] = await Promise.all([
    photos.search(site.cover.photo, coverCount),
    Promise.all(site.cards.map((card) => firstOf(card.photo))),
    Promise.all(pageNames.map(async (page) => [page, await firstOf(site.pages[page].photo)] as const)),
  ]);
  const menu = menuOf(ownPages);
  return {
    language: { ...site.language, prefix: '' },
    ...applyClosure(site, now),
    helplines,
    forms: { help: publicForm(forms.help), contact: publicForm(forms.contact) },
    meanings: { help: meaningsOf(forms.help.definition), contact: meaningsOf(forms.contact.definition) },
    photos: {
      covers,
      cards: cards.map(asDecoration),
      headers: Object.fromEntries(headers) as PagePhotos<Photo>['headers'],
    },
    cover: 0,
    botCheck,
    retentionDays,
    year: nzYear(now),
    ...(menu.length > 0 ? { menu } : {}),
  };
}

/** A screen reader would read the description before the words of the card's link, which say enough. */
const asDecoration = (photo: Photo | null): Photo | null => photo && { ...photo, alt: '' };

/** The same fields as GraphQL sends (model/operations.ts), because the browser asks GraphQL when it needs the form again. */
function publicForm({ definition }: Form): Definition {
  return definition.map((field) => {
    const { key, type, displayName, description, required } = field;
    const choices = field.type === 'checkbox' ? field.choices : null;
    return { key, type, displayName, description, required, choices } as FormField;
  });
}

const menuOf = (pages: readonly OwnPage[]): MenuLink[] =>
  pages.flatMap(({ name, menuLabel }) => (menuLabel ? { path: `/${name}`, label: menuLabel } : []));
