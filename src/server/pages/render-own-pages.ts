import type { MenuLink, OwnPage } from '../../model/own-page.ts';
import { fillFrom } from '../../model/page-title.ts';
import type { Photo } from '../../model/photo.ts';
import { asText } from '../../model/phrase.ts';
import type { PageName } from '../../model/routes.ts';
import type { Theme } from '../content/theme.ts';
import type { Photos } from '../photos/photos.ts';
import { makePage, type Page, pageHeaders } from './cached-page.ts';
import { htmlType, keepFile, type Packing } from './compressed-file.ts';
import { contentPolicy } from './content-policy.ts';
import { composeOwnDocument, pageCss } from './document.ts';
import type { FullPageData } from './load-page-data.ts';
import type { Renderer } from './renderer.ts';

/** The ways to the trust's own pages, as the bar and the drawer show them. */
export function menuOf(pages: readonly OwnPage[]): MenuLink[] {
  return pages.flatMap(({ name, menuLabel }) => (menuLabel ? { path: `/${name}`, label: menuLabel } : []));
}

export const ownRoute = '/:page';

interface OwnPagesParts {
  pages: readonly OwnPage[];
  data: FullPageData;
  theme: Theme | undefined;
  renderer: Renderer;
  photos: Photos;
  publicUrl: string | undefined;
  packing: Packing;
}

/** All of them, by path and ready to send. */
export async function keepOwnPages({ pages, ...parts }: OwnPagesParts): Promise<Map<string, Page>> {
  return new Map(
    await Promise.all(pages.map(async (page) => [`/${page.name}`, await keepOwnPage(page, parts)] as const)),
  );
}

async function keepOwnPage(page: OwnPage, parts: Omit<OwnPagesParts, 'pages'>): Promise<Page> {
  const { renderer, theme, photos, publicUrl, packing } = parts;
  const { assets, development } = renderer;
  const path = `/${page.name}`;
  const [photo = null] = page.photo === undefined ? [] : await photos.search(page.photo, 1);
  const data = amongOthers(parts.data, page, photo);
  const { body, css: ownCss } = await renderer.renderOwn({ page, data });
  const css = pageCss(assets.css, data, theme, ownCss);
  const html = composeOwnDocument({
    page: page.name as PageName,
    path,
    data,
    theme,
    body,
    css,
    assets,
    publicUrl,
  });
  const file = await keepFile(development ? await development.finish(path, html) : html, htmlType, packing);
  return makePage(file, pageHeaders('own', development ? null : ownPolicy(css, assets.early)), ownRoute);
}

/** The data of all pages with this one among them, so that whatever shows a page by its name shows it too. */
function amongOthers(data: FullPageData, page: OwnPage, photo: Photo | null): FullPageData {
  const { name, title, subtitle, description, menuLabel = title } = page;
  const breadcrumb = asText(fillFrom(data.site, menuLabel));
  const text = { breadcrumb, heading: title, subtitle, description, photo: page.photo };
  return {
    ...data,
    // Its dialog needs the script of the other pages. A button that does nothing is worse than none.
    site: { ...data.site, shieldedSite: false, pages: { ...data.site.pages, [name]: text } },
    // No picture but its own, and so no rule for the colour of any other.
    photos: { covers: [], cards: [], headers: { ...noHeaders, [name]: photo } },
  };
}

const noHeaders: FullPageData['photos']['headers'] = { home: null, help: null, contact: null };

/** No other host, whichever bot check the forms have. */
const ownPolicy = (css: string, early: string) =>
  contentPolicy({ css, early, botCheck: { kind: 'altcha', challengePath: '' }, shieldedSite: false });
