import { inLanguage } from '../../model/language.ts';
import { mapValues } from '../../model/map-values.ts';
import type { OwnPage } from '../../model/own-page.ts';
import type { Photo } from '../../model/photo.ts';
import { asText } from '../../model/phrase.ts';
import { type PageName, routes } from '../../model/routes.ts';
import { fillFrom } from '../../model/site-words.ts';
import type { TranslatedContent } from '../content/languages/translated-content.ts';
import type { Theme } from '../content/theme.ts';
import type { Photos } from '../photos/photos.ts';
import { type CachedPage, cachePage, pageHeaders } from './cached-page.ts';
import { contentPolicy } from './content-policy.ts';
import { composeOwnDocument } from './document.ts';
import type { FullPageData } from './load-page-data.ts';
import { pageCss } from './page-css.ts';
import type { Renderer } from './renderer.ts';
import { describePhoto } from './translate-page-data.ts';

interface OwnPageParts {
  data: FullPageData;
  /** Null for the original. */
  translation: TranslatedContent | null;
  /** The pattern of the page's address. */
  route: string;
  theme: Theme | undefined;
  renderer: Renderer;
  photos: Photos;
  publicUrl: string | undefined;
}

export async function cacheOwnPage(page: OwnPage, parts: OwnPageParts): Promise<CachedPage> {
  const { renderer, theme, photos, publicUrl, translation, route } = parts;
  const { assets, development } = renderer;
  const address = `/${page.name}`;
  const path = inLanguage(parts.data.language.prefix, address);
  const [found = null] = page.photo === undefined ? [] : await photos.search(page.photo, 1);
  const data = withOwnPage(
    parts.data,
    page,
    found && translation ? describePhoto(found, translation) : found,
  );
  const { body, css: ownCss } = await renderer.render({ kind: 'own', page, data });
  const css = pageCss(assets.css + assets.print, data, theme, ownCss);
  const html = composeOwnDocument({
    page: page.name as PageName,
    address,
    data,
    theme,
    body,
    css,
    assets,
    publicUrl,
  });
  const finished = development ? await development.finish(path, html) : html;
  return cachePage({
    compose: () => finished,
    headers: pageHeaders('own', development ? null : ownPolicy(css, assets.early), data),
    route,
  });
}

/** The data of all pages with this page added, because components find a page's words and photo by its name. */
function withOwnPage(data: FullPageData, page: OwnPage, photo: Photo | null): FullPageData {
  const { name, title, subtitle, description, menuLabel = title } = page;
  const breadcrumb = asText(fillFrom(data.site, menuLabel));
  const text = { breadcrumb, heading: title, subtitle, description, photo: page.photo };
  return {
    ...data,
    // The dialog of the Shielded Site needs the script of the other pages, and a button that does nothing is worse than none.
    site: { ...data.site, shieldedSite: false, pages: { ...data.site.pages, [name]: text } },
    // The page shows no other picture, so its style sheet needs no rule for the colour of another.
    photos: { covers: [], cards: [], headers: { ...noHeaders, [name]: photo } },
  };
}

const noHeaders: FullPageData['photos']['headers'] = mapValues(routes, () => null);

/** These pages have no form, so the policy allows no host of a bot check. */
const ownPolicy = (css: string, early: string) =>
  contentPolicy({ css, early, botCheck: { kind: 'altcha', challengePath: '' }, shieldedSite: false });
