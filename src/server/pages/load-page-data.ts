import type { BotCheckClient } from '../../model/bot-check-client.ts';
import { clientMeanings, meaningsOf, ways } from '../../model/choice-meanings.ts';
import type { Definition, FormName } from '../../model/form-field.ts';
import type { Helpline, Helplines } from '../../model/helplines.ts';
import { mapValues } from '../../model/map-values.ts';
import type { MenuLink, OwnPage } from '../../model/own-page.ts';
import { allPhotos, type PageData, type PagePhotos } from '../../model/page-data.ts';
import type { Photo, ShownPhoto } from '../../model/photo.ts';
import { type PageName, pageNames } from '../../model/routes.ts';
import type { Card, PageSite, PageText, Site } from '../../model/site.ts';
import type { Content } from '../content/content.ts';
import { shownLanguages } from '../content/languages/shown-languages.ts';
import type { TranslatedForm } from '../content/languages/translated-content.ts';
import type { Photos } from '../photos/photos.ts';
import { applyClosure, nzYear } from './apply-closure.ts';
import { describeRetention, type Retention } from './format-retention.ts';
import { linesFor } from './lines-for.ts';

/** The home page shows one of these at random. */
const coverCount = 5;

interface PageDataParts extends Retention {
  content: Content;
  photos: Photos;
  botCheck: BotCheckClient;
  now: Date;
}

/** The data that the server renders from. Not all of it is sent inside the page. */
export interface FullPageData extends PageData {
  site: Site;
  helplines: Helplines;
  photos: PagePhotos<FullPhoto>;
  retention: Retention;
}

/** `lang`: the language of the description, where it is not the page's. */
export type FullPhoto = Photo & { lang?: string };

/** Leaves out the words that this page does not need in the browser, because a visitor waits for every byte. */
export function toClientData(
  page: PageName,
  { site, helplines, photos, meanings, retention: _retention, ...data }: FullPageData,
): PageData {
  const { blank: _blank, onePress: _one, twoPresses: _two, expired: _expired, ...leave } = site.leave;
  const { language: _language, away: _away, closed: _closed, closedText: _closedText, ...named } = site;
  const { deletedText: _deletedText, ...words } = named;
  const { checked: _checked, lines, ...shownLines } = helplines;
  const withoutLanguages = ({ languages: _languages, ...line }: Helpline) => line;
  const withoutPhoto = ({ photo: _photo, ...card }: Card) => card;
  const withoutDescription = ({ description: _description, ...page }: PageText) => page;
  const pages = mapValues(site.pages, withoutDescription);
  const { trap: _trap, noScript: _noScript, answerNote, ...form } = site.form;
  const offered = Object.values(meanings).flatMap((all) => all.map(({ means }) => means));
  const wayHints = Object.fromEntries(
    ways.map((way) => [way, offered.includes(way) ? form.hints[way] : undefined]),
  );
  const { photoCredit, photosCredit, sectionList, ...shell } = site.shell;
  const hasCredits = allPhotos(photos).some(({ source }) => source === 'pexels');
  const shown = {
    ...words,
    pages,
    leave,
    // Undefined is left out of JSON: words that the components of this page never ask for.
    discreetTitles: site.discreetTitles || undefined,
    shieldedSite: site.shieldedSite || undefined,
    discreetTitle: site.discreetTitles ? site.discreetTitle : undefined,
    shieldedText: site.shieldedSite ? site.shieldedText : undefined,
    shell: {
      ...shell,
      ...(hasCredits ? { photoCredit, photosCredit } : {}),
      ...(site.sectionLinks.length > 0 ? { sectionList } : {}),
    },
    form: { ...form, hints: { ...form.hints, ...wayHints }, ...(data.language.prefix ? { answerNote } : {}) },
    cover: { text: site.cover.text },
    cards: site.cards.map(withoutPhoto),
  } as PageSite;
  const whole = {
    ...data,
    site: shown,
    helplines: { ...shownLines, lines: lines.map(withoutLanguages) },
    meanings: mapValues(meanings, clientMeanings),
    photos: shownPhotos(photos),
  };
  return page === 'home' ? withoutForms(whole) : whole;
}

/** The home page leaves out what only a form shows. The browser fetches it with the form's script (PageInLanguage.tsx). */
function withoutForms(data: PageData): PageData {
  const { forms: _forms, meanings: _meanings, botCheck: _botCheck, helplines, site, photos, ...home } = data;
  const { privacy: _privacy, alternativeContact: _contact, leave, form, ...words } = site;
  const { about: _about, ...exit } = leave;
  // `send`: what the button says after an error in a form that was reached from here (entry-client.tsx).
  const { close, listSeparator, send } = form;
  const { danger, call, text } = helplines;
  return {
    ...home,
    helplines: { danger, call, text },
    site: { ...words, leave: exit, form: { close, listSeparator, send } },
    photos: { ...photos, headers: {} },
  } as unknown as PageData;
}

function shownPhotos({ covers, cards, headers }: PagePhotos<FullPhoto>): PagePhotos {
  const show = ({ alt, avg_color, folder, lang, photographer, url, source }: FullPhoto): ShownPhoto => {
    const shown = { alt, avg_color, folder, ...(lang ? { lang } : {}) };
    return source === 'pexels' ? { ...shown, source, photographer, url } : shown;
  };
  const showOne = (photo: FullPhoto | null) => photo && show(photo);
  return {
    covers: covers.map(show),
    cards: cards.map(showOne),
    headers: mapValues(headers, showOne),
  };
}

/** The data of all pages in the original language. The copies of the home page differ in `cover` alone. */
export async function loadPageData(parts: PageDataParts): Promise<FullPageData> {
  const { content, photos, botCheck, retentionDays, unseenRetentionDays, now } = parts;
  const retention = { retentionDays, unseenRetentionDays };
  const { site, helplines, forms, ownPages } = content;
  const firstOf = async (keywords: string | undefined) =>
    keywords === undefined ? null : ((await photos.search(keywords))[0] ?? null);
  const [covers, cards, headers] = await Promise.all([
    photos.search(site.cover.photo, coverCount),
    Promise.all(site.cards.map((card) => firstOf(card.photo))),
    Promise.all(pageNames.map(async (page) => [page, await firstOf(site.pages[page].photo)] as const)),
  ]);
  const language = { ...site.language, prefix: '' };
  const offered = shownLanguages(content, []).map((shown) => shown.content.language);
  return {
    language,
    ...(offered.length > 0 ? { languages: [language, ...offered] } : {}),
    ...applyClosure(describeRetention(site, retention), now),
    helplines: linesFor(helplines, site.language.tag),
    forms: publicForms(forms),
    meanings: mapValues(forms, ({ definition }) => meaningsOf(definition)),
    photos: {
      covers,
      cards: cards.map(asDecoration),
      headers: Object.fromEntries(headers) as PagePhotos<Photo>['headers'],
    },
    cover: 0,
    botCheck,
    retention,
    year: nzYear(now),
    ...menuOf(ownPages),
  };
}

/** A screen reader would read the description before the words of the card's link, which say enough. */
const asDecoration = (photo: Photo | null): Photo | null => photo && { ...photo, alt: '' };

/** What a choice means is sent beside the forms, as far as the browser needs it. */
const publicForm = ({ definition }: TranslatedForm): Definition =>
  definition.map((field) => (field.type === 'checkbox' ? { ...field, meanings: undefined } : field));

export const publicForms = (forms: Record<FormName, TranslatedForm>): FullPageData['forms'] =>
  mapValues(forms, publicForm);

/** The links to the trust's own pages. */
export function menuOf(pages: readonly OwnPage[], prefix = ''): { menu?: MenuLink[]; footer?: MenuLink[] } {
  const linksWith = (name: 'menuLabel' | 'footerLabel', before = '') =>
    pages.flatMap((page) => {
      const label = page[name];
      return label ? { path: `${before}/${page.name}`, label } : [];
    });
  const menu = linksWith('menuLabel');
  const footer = linksWith('footerLabel', prefix);
  return { ...(menu.length > 0 ? { menu } : {}), ...(footer.length > 0 ? { footer } : {}) };
}
