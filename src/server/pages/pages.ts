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
import { cacheOwnPage } from './render-own-pages.ts';
import type { Renderer } from './renderer.ts';

export interface Pages {
  readonly renderer: Renderer;
  /** None in development. */
  readonly earlierBuilds?: EarlierBuilds | undefined;
  readonly content: ContentSource;
  readonly publicUrl?: string | undefined;
  /** The page at this path, compressed, and rendered for today. Null where there is none. */
  find(address: string): Promise<ReadyResponse | null>;
  /** The same without waiting. Null also where the page has to be compressed or rendered first. */
  findReady: FindReady;
  /**
   * The page that responds to a form posted by the browser itself, for this visitor alone. `sentOut` is the signed time
   * that the form came back with, if any.
   */
  renderPosted(
    form: FormName,
    posted: Posted,
    sentOut: string | null,
  ): Promise<{ html: string; headers: PageHeaders }>;
  /** Whether the pages could not be rendered again, so that older ones are served. */
  areOutdated(): boolean;
  close(): Promise<void>;
}

interface PagesParts {
  renderer: Renderer;
  earlierBuilds?: EarlierBuilds | undefined;
  content: ContentSource;
  photos: Photos;
  botCheck: BotCheckClient;
  retentionDays: number;
  publicUrl?: string | undefined;
  /** Signs the time at which a form is sent to the browser. */
  signTime: (at: Date) => string;
  now: () => Date;
  random?: () => number;
  /** Called when the pages could not be rendered again. The last ones are still served. */
  onFailed: (error: unknown) => void;
}

interface RenderedPages {
  data: FullPageData;
  /** By path. The home page has a copy for each cover photo, one of which is picked at random. */
  copies: ReadonlyMap<string, readonly CachedPage[]>;
}

/** Late enough not to slow down the start, and early enough that an observer rarely asks first. */
const compressAfterMs = 5_000;

/** A form contains only one cover, for a visitor who goes on to the home page: each costs the form 85 bytes. */
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
    const own = { data, theme, renderer, photos, publicUrl: parts.publicUrl };
    const coverCount = Math.max(1, data.photos.covers.length);
    const copies = await Promise.all([
      ...pageNames.map(async (page) => {
        const rendered = Array.from({ length: page === 'home' ? coverCount : 1 }, (_, cover) =>
          renderPage(page, { ...data, cover }),
        );
        return [routes[page].path, await Promise.all(rendered)] as const;
      }),
      ...ownPages.map(async (page) => [`/${page.name}`, [await cacheOwnPage(page, own)]] as const),
    ]);
    return { data, copies: new Map<string, readonly CachedPage[]>(copies) };
  }

  /** A page without its end, which has the signed time. */
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

  /** Compresses pages before they are asked for: a slow response would tell an observer that nobody was here before. */
  function compressSoon(): NodeJS.Timeout {
    return setTimeout(async () => {
      for (const page of [...rendered.copies.values()].flat()) await page.get(now()).catch(parts.onFailed);
    }, compressAfterMs).unref();
  }
  let rendering: Promise<void> = Promise.resolve();

  /** One after the other, so that older pages never replace newer ones. */
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

  /** Once a minute: comparing the day at each visit took most of the time of a response. */
  const dayCheck = createMinuteCheck(async (at) => {
    const { closed } = applyClosure(content.current().site, at);
    const { data } = rendered;
    if (describeDay(data.year, data.closed) !== describeDay(nzYear(at), closed)) await refresh();
  });

  async function renderIfOutdated(at: Date): Promise<void> {
    if (renderer.development) rendered = await renderAll();
    else await dayCheck.run(at);
  }

  const pickCopy = (path: string): CachedPage | undefined => {
    const copies = rendered.copies.get(path);
    return copies?.[Math.floor(random() * copies.length)];
  };

  const unsubscribes = [content.onChange(() => refresh()), photos.onChange(() => void refresh())];
  if (renderer.development) unsubscribes.push(content.onChange(renderer.development.reload));

  return {
    renderer,
    earlierBuilds: parts.earlierBuilds,
    content,
    publicUrl: parts.publicUrl,
    async find(address) {
      const at = now();
      await renderIfOutdated(at);
      return pickCopy(address)?.get(at) ?? null;
    },
    findReady(address) {
      const at = now();
      if (renderer.development || !dayCheck.isDone(at)) return null;
      return pickCopy(address)?.findReady(at) ?? null;
    },
    async renderPosted(form, posted, sentOut) {
      await renderIfOutdated(now());
      const { html, headers } = await composePage(form, { ...rendered.data, posted });
      return {
        html: await finish(form, html + documentEnd(form, sentOut ?? parts.signTime(now()))),
        headers,
      };
    },
    areOutdated: () => isOutdated,
    async close() {
      for (const stop of unsubscribes) stop();
      clearTimeout(compressTimer);
      await renderer.development?.close();
    },
  };
}
