import type { BotCheckClient } from '../../model/bot-check-client.ts';
import type { FormName } from '../../model/form-field.ts';
import type { Posted } from '../../model/page-data.ts';
import { type PageName, pageNames, routes } from '../../model/routes.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { FindReady, ReadyResponse } from '../http/ready-responses.ts';
import type { Photos } from '../photos/photos.ts';
import { applyClosure, nzYear } from './apply-closure.ts';
import {
  type CachedPage,
  cachePage,
  cacheStampedPage,
  type PageHeaders,
  pageHeaders,
} from './cached-page.ts';
import { contentPolicy } from './content-policy.ts';
import { composeDocument, documentEnd, pageCss } from './document.ts';
import type { EarlierBuilds } from './earlier-builds.ts';
import { type FullPageData, loadPageData } from './load-page-data.ts';
import { createMinuteCheck } from './minute-check.ts';
import { cacheOwnPages } from './render-own-pages.ts';
import type { Renderer } from './renderer.ts';

export interface Pages {
  readonly renderer: Renderer;
  /** None in development. */
  readonly earlierBuilds?: EarlierBuilds | undefined;
  readonly content: ContentSource;
  readonly publicUrl?: string | undefined;
  /** The home page has a copy for each cover photo, one of which is picked at random. */
  get(page: PageName): Promise<ReadyResponse>;
  /** One of the trust's own pages; null where none has that name. */
  getOwn(name: string): Promise<ReadyResponse | null>;
  /** Any of the pages, without waiting. */
  findReady: FindReady;
  /**
   * The page that answers a form posted by the browser itself: HTML for this visitor alone. `sentOut` is the stamp that
   * the form came back with, if any.
   */
  answer(form: FormName, posted: Posted, sentOut: string | null): Promise<Answer>;
  /** Whether the pages could not be rendered anew, so that older ones are served. */
  areOutdated(): boolean;
  close(): Promise<void>;
}

export interface Answer {
  html: string;
  headers: PageHeaders;
}

export interface PagesParts {
  renderer: Renderer;
  earlierBuilds?: EarlierBuilds | undefined;
  content: ContentSource;
  photos: Photos;
  botCheck: BotCheckClient;
  retentionDays: number;
  publicUrl?: string | undefined;
  /** The stamp that says when a form was sent. */
  signTime: (at: Date) => string;
  now: () => Date;
  random?: () => number;
  /** Called when the pages could not be rendered anew. The last ones are served on. */
  onFailed: (error: unknown) => void;
}

interface RenderedPages {
  data: FullPageData;
  pages: Record<PageName, CachedPage[]>;
  /** By path. */
  own: ReadonlyMap<string, CachedPage>;
}

const namesByPath = new Map(pageNames.map((name) => [routes[name].path as string, name]));

/** Later than a start, which has other work for the processor, and sooner than somebody who watches could ask first. */
const compressAfterMs = 5_000;

/** A form brings only one of the covers, for a visitor who goes on to the home page: each costs the form 85 bytes. */
function withOneCover(data: FullPageData, random: () => number): FullPageData {
  const { covers } = data.photos;
  const first = Math.floor(random() * covers.length);
  return { ...data, photos: { ...data.photos, covers: covers.slice(first, first + 1) } };
}

/**
 * Visitors are anonymous, so a page is the same for all of them: the pages are rendered when the content, the photos or
 * the day's words (the year, a closure) change, and not for each visit.
 *
 * @throws where a page cannot be rendered.
 */
export async function createPages(parts: PagesParts): Promise<Pages> {
  const { renderer, content, photos, now, random = Math.random } = parts;

  async function renderAll(): Promise<RenderedPages> {
    const { theme, ownPages } = content.current();
    const data = await loadPageData({ ...parts, content: content.current(), now: now() });
    const copies = (page: PageName) =>
      page === 'home' && data.photos.covers.length > 0 ? data.photos.covers.map((_, cover) => cover) : [0];
    const entries = pageNames.map(async (page) => {
      const rendered = copies(page).map((cover) => renderPage(page, { ...data, cover }));
      return [page, await Promise.all(rendered)] as const;
    });
    const [pages, own] = await Promise.all([
      Promise.all(entries),
      cacheOwnPages({ pages: ownPages, data, theme, renderer, photos, publicUrl: parts.publicUrl }),
    ]);
    return { data, pages: Object.fromEntries(pages) as RenderedPages['pages'], own };
  }

  /** A page without its last bytes. */
  async function composePage(page: PageName, all: FullPageData) {
    const data = page === 'home' ? all : withOneCover(all, random);
    const { assets, development } = renderer;
    const { theme } = content.current();
    const css = pageCss(assets.css, data, theme);
    const body = await renderer.render(page, data);
    const { shieldedSite } = data.site;
    const policy = contentPolicy({ css, early: assets.early, botCheck: parts.botCheck, shieldedSite });
    return {
      html: composeDocument({ page, data, theme, body, css, assets, publicUrl: parts.publicUrl }),
      headers: pageHeaders(page, development ? null : policy),
    };
  }

  async function finish(page: PageName, html: string): Promise<string> {
    const { development } = renderer;
    return development ? development.finish(routes[page].path, html) : html;
  }

  async function renderPage(page: PageName, data: FullPageData): Promise<CachedPage> {
    const { html, headers } = await composePage(page, data);
    const endAt = (at: Date) => documentEnd(page, parts.signTime(at));
    const route = routes[page].path;
    if (page !== 'home' && !renderer.development) return cacheStampedPage({ html, endAt, headers, route });
    return cachePage({ html: await finish(page, html + endAt(now())), headers, route });
  }

  let rendered = await renderAll();
  let isOutdated = false;
  let compressTimer = compressSoon();

  /** Compresses what nobody has asked for: a slow first response would tell that nobody was here. */
  function compressSoon(): NodeJS.Timeout {
    return setTimeout(async () => {
      const { pages, own } = rendered;
      for (const page of [...Object.values(pages).flat(), ...own.values()])
        await page.get(now()).catch(parts.onFailed);
    }, compressAfterMs).unref();
  }
  let rendering: Promise<void> = Promise.resolve();

  /** One rendering after the other, so that an older one never replaces a newer. */
  function refresh(): Promise<void> {
    rendering = rendering.then(async () => {
      try {
        rendered = await renderAll();
        isOutdated = false;
        clearTimeout(compressTimer);
        compressTimer = compressSoon();
      } catch (error) {
        isOutdated = true;
        parts.onFailed(error);
      }
    });
    return rendering;
  }

  const describeDay = (year: number, closed: FullPageData['closed']) => JSON.stringify([year, closed]);

  /** Comparing the day at each visit was most of what a page cost. */
  const daily = createMinuteCheck(async (at) => {
    const { closed } = applyClosure(content.current().site, at);
    const { data } = rendered;
    if (describeDay(data.year, data.closed) !== describeDay(nzYear(at), closed)) await refresh();
  });

  async function renew(at: Date): Promise<void> {
    if (renderer.development) rendered = await renderAll();
    else await daily.run(at);
  }

  const pickCopy = (page: PageName): CachedPage => {
    const copies = rendered.pages[page];
    return copies[Math.floor(random() * copies.length)] as CachedPage;
  };

  const stops = [content.onChange(() => refresh()), photos.onChange(() => void refresh())];
  if (renderer.development) stops.push(content.onChange(renderer.development.reload));

  return {
    renderer,
    earlierBuilds: parts.earlierBuilds,
    content,
    publicUrl: parts.publicUrl,
    async get(page) {
      const at = now();
      await renew(at);
      return pickCopy(page).get(at);
    },
    async getOwn(name) {
      const at = now();
      await renew(at);
      return rendered.own.get(`/${name}`)?.get(at) ?? null;
    },
    findReady(address) {
      const at = now();
      if (renderer.development || !daily.isDone(at)) return null;
      const name = namesByPath.get(address);
      const page = name ? pickCopy(name) : rendered.own.get(address);
      return page?.findReady(at) ?? null;
    },
    async answer(form, posted, sentOut) {
      await renew(now());
      const { html, headers } = await composePage(form, { ...rendered.data, posted });
      return {
        html: await finish(form, html + documentEnd(form, sentOut ?? parts.signTime(now()))),
        headers,
      };
    },
    areOutdated: () => isOutdated,
    async close() {
      for (const stop of stops) stop();
      clearTimeout(compressTimer);
      await renderer.development?.close();
    },
  };
}
