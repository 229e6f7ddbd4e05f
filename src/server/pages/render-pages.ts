import type { BotCheckClient } from '../../model/bot-check-client.ts';
import { inLanguage } from '../../model/language.ts';
import { type PageName, pageNames, routes } from '../../model/routes.ts';
import type { Content } from '../content/content.ts';
import { shownLanguages } from '../content/languages/shown-languages.ts';
import type { TranslatedContent } from '../content/languages/translated-content.ts';
import type { Theme } from '../content/theme.ts';
import type { Photos } from '../photos/photos.ts';
import { type CachedPage, cachePage, type PageHeaders, pageHeaders, renderLater } from './cached-page.ts';
import { contentPolicy } from './content-policy.ts';
import { composeDocument, documentEnd, earlyScript } from './document.ts';
import { type FullPageData, loadPageData } from './load-page-data.ts';
import { pageCss } from './page-css.ts';
import { cacheOwnPage } from './render-own-pages.ts';
import type { Renderer } from './renderer.ts';
import { translatePageData } from './translate-page-data.ts';

/** The patterns of the addresses of the trust's own pages, and of all pages in another language. */
export const ownRoute = '/:page';
export const languageRoute = '/:language';

export interface RenderingParts {
  renderer: Renderer;
  photos: Photos;
  botCheck: BotCheckClient;
  retentionDays: number;
  unseenRetentionDays: number | null;
  publicUrl: string | undefined;
  previewLanguages: readonly string[];
  /** Signs the hour in which a form is sent to the browser. */
  signTime: (at: Date) => string;
  now: () => Date;
  random?: () => number;
  /** Called when a page could not be rendered. */
  onFailed: (error: unknown) => void;
}

interface RenderedPages {
  /** The data of the original. */
  data: FullPageData;
  /** The data of the other languages, by their tags. */
  translations: ReadonlyMap<string, FullPageData>;
  /** By path. The home page has a copy for each cover photo, one of which is picked at random. */
  copies: ReadonlyMap<string, readonly CachedPage[]>;
}

/** A form contains only one cover, for a visitor who goes on to the home page: each costs the form 85 bytes. */
function withOneCover(data: FullPageData, random: () => number): FullPageData {
  const { covers } = data.photos;
  const first = Math.floor(random() * covers.length);
  return { ...data, photos: { ...data.photos, covers: covers.slice(first, first + 1) } };
}

/**
 * The original's pages are rendered at once, and one that cannot be is an error. A page in another language is rendered
 * when it is first asked for: several languages must not slow down the start, nor end it.
 */
export function createRendering(parts: RenderingParts) {
  const { renderer, photos, now, random = Math.random } = parts;

  async function renderAll(content: Content): Promise<RenderedPages> {
    const { theme, ownPages } = content;
    const data = await loadPageData({ ...parts, content, now: now() });
    const shown = shownLanguages(content, parts.previewLanguages ?? []);
    const translated = shown.map((language) => translatePageData(data, language, now()));
    const original = await Promise.all(
      listPages(data, theme, ownPages, null).map(
        async ([path, renders]) => [path, await Promise.all(renders.map((render) => render()))] as const,
      ),
    );
    const others = translated.flatMap((words, index) => {
      const translation = shown[index]?.content ?? null;
      return listPages(words, theme, translation?.ownPages ?? [], translation).map(
        ([path, renders]) => [path, renders.map((render) => renderLater(render, parts.onFailed))] as const,
      );
    });
    return {
      data,
      translations: new Map(translated.map((words) => [words.language.tag, words])),
      copies: new Map<string, readonly CachedPage[]>([...original, ...others]),
    };
  }

  /** What renders the copies of each page in one language, by path. */
  function listPages(
    data: FullPageData,
    theme: Theme | undefined,
    ownPages: Content['ownPages'],
    translation: TranslatedContent | null,
  ) {
    const { prefix } = data.language;
    const routeOf = (route: string) => (prefix ? inLanguage(languageRoute, route) : route);
    const coverCount = Math.max(1, data.photos.covers.length);
    const own = {
      data,
      theme,
      renderer,
      photos,
      publicUrl: parts.publicUrl,
      translation,
      route: routeOf(ownRoute),
    };
    return [
      ...pageNames.map((page) => {
        const route = routeOf(routes[page].path);
        const renders = Array.from(
          { length: page === 'home' ? coverCount : 1 },
          (_, cover) => () => renderPage(page, { ...data, cover }, theme, route),
        );
        return [inLanguage(prefix, routes[page].path), renders] as const;
      }),
      ...ownPages.map(
        (page) => [inLanguage(prefix, `/${page.name}`), [() => cacheOwnPage(page, own)]] as const,
      ),
    ];
  }

  /** A page without its end, which has the signed time. */
  async function composePage(page: PageName, all: FullPageData, theme: Theme | undefined) {
    const isHome = page === 'home';
    const data = isHome ? all : withOneCover(all, random);
    const { assets, development } = renderer;
    const rendered = await renderer.render({ kind: 'page', page, data });
    // With the later rules inside it, a page has those for paper too.
    const css = pageCss(assets.css + (rendered.css && rendered.css + assets.print), data, theme);
    const { shieldedSite } = data.site;
    const policy = contentPolicy({
      css,
      early: earlyScript(page, assets),
      laterStyles: !isHome,
      botCheck: parts.botCheck,
      shieldedSite,
    });
    return {
      html: composeDocument({
        page,
        data,
        theme,
        body: rendered.body,
        css,
        assets,
        publicUrl: parts.publicUrl,
      }),
      headers: pageHeaders(page, development ? null : policy, data),
    };
  }

  async function finish(page: PageName, { language }: FullPageData, html: string): Promise<string> {
    const { development } = renderer;
    return development ? development.finish(inLanguage(language.prefix, routes[page].path), html) : html;
  }

  async function renderPage(
    page: PageName,
    data: FullPageData,
    theme: Theme | undefined,
    route: string,
  ): Promise<CachedPage> {
    const { html, headers } = await composePage(page, data, theme);
    const withEnd = () => html + documentEnd(page, parts.signTime(now()));
    if (!renderer.development) return cachePage({ compose: withEnd, headers, route });
    const finished = await finish(page, data, withEnd());
    return cachePage({ compose: () => finished, headers, route });
  }

  return {
    renderAll,
    /** A page for one visitor, with this signed time. */
    async renderOnce(
      page: PageName,
      data: FullPageData,
      theme: Theme | undefined,
      sentOut: string,
    ): Promise<{ html: string; headers: PageHeaders }> {
      const { html, headers } = await composePage(page, data, theme);
      return { html: await finish(page, data, html + documentEnd(page, sentOut)), headers };
    },
  };
}
