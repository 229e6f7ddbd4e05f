import type { BotCheckClient } from '../../model/bot-check-client.ts';
import { meaningsOf } from '../../model/choice-meanings.ts';
import type { FormName } from '../../model/form-field.ts';
import type { Posted } from '../../model/page-data.ts';
import { type PageName, pageNames, routes } from '../../model/routes.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { FindReady } from '../http/ready-responses.ts';
import type { Photos } from '../photos/photos.ts';
import {
  type KeptPage,
  keepTimedPage,
  makePage,
  type Page,
  type PageHeaders,
  pageHeaders,
} from './cached-page.ts';
import { htmlType, keepFile, type Packing } from './compressed-file.ts';
import { contentPolicy } from './content-policy.ts';
import { composeDocument, documentEnd, pageCss } from './document.ts';
import type { EarlierBuilds } from './earlier-builds.ts';
import { type FullPageData, gatherPageData, type RunQuery } from './load-page-data.ts';
import { onceAMinute } from './once-a-minute.ts';
import { keepOwnPages, menuOf } from './render-own-pages.ts';
import type { Renderer } from './renderer.ts';
import { wordsNow, yearInNewZealand } from './words-now.ts';

export interface Pages {
  readonly renderer: Renderer;
  /** None in development. */
  readonly earlierBuilds?: EarlierBuilds | undefined;
  readonly content: ContentSource;
  readonly publicUrl?: string | undefined;
  /** Renders the pages for the first time. The queries are the browser's own, run in the server. */
  start(runQuery: RunQuery): Promise<void>;
  /** A page, ready to send. The home page has a copy for each cover photo, of which one is picked at random. */
  get(page: PageName): Promise<Page>;
  /** One of the trust's own; null where there is none of that name. */
  getOwn(name: string): Promise<Page | null>;
  /** Any of them, where that can be told at once. */
  findReady: FindReady;
  /**
   * The page that answers a form posted by the browser itself: HTML for this visitor alone. `sentOut` is when the form
   * was, where that is known.
   */
  answer(form: FormName, posted: Posted, sentOut: string | null): Promise<Answer>;
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
  /** When a form was sent out, as the server will know it again. */
  signTime: (at: Date) => string;
  now: () => Date;
  random?: () => number;
  packAfterMs?: number;
  /** Told when the pages could not be rendered anew; the last ones stay. */
  onFailed: (error: unknown) => void;
}

interface Kept {
  data: FullPageData;
  pages: Record<PageName, KeptPage[]>;
  /** By path. */
  own: ReadonlyMap<string, Page>;
}

const namesByPath = new Map(pageNames.map((name) => [routes[name].path as string, name]));

/** A form brings one of the covers along, for whoever goes home from it: each is 85 bytes that the form waits for. */
function withOneCover(data: FullPageData, random: () => number): FullPageData {
  const { covers } = data.photos;
  const first = Math.floor(random() * covers.length);
  return { ...data, photos: { ...data.photos, covers: covers.slice(first, first + 1) } };
}

/**
 * All visitors are anonymous, so a page is the same for all: it is rendered when the content, the photos or the day's
 * words (the year, a closure) change, and not for a visit.
 */
export function createPages(parts: PagesParts): Pages {
  const { renderer, content, photos, now, random = Math.random, packAfterMs = 20_000 } = parts;
  let runQuery: RunQuery = async () => ({});
  let kept: Kept | null = null;
  let rendering: Promise<void> = Promise.resolve();
  let packTimer: NodeJS.Timeout | undefined;

  async function renderAll(packing: Packing): Promise<Kept> {
    const { site, theme, helplines, forms, ownPages } = content.current();
    const gathered = await gatherPageData({
      site,
      helplines,
      meanings: { help: meaningsOf(forms.help.definition), contact: meaningsOf(forms.contact.definition) },
      photos,
      botCheck: parts.botCheck,
      retentionDays: parts.retentionDays,
      runQuery,
      now: now(),
    });
    const menu = menuOf(ownPages);
    const data = menu.length > 0 ? { ...gathered, menu } : gathered;
    const copies = (page: PageName) =>
      page === 'home' && data.photos.covers.length > 0 ? data.photos.covers.map((_, cover) => cover) : [0];
    const entries = pageNames.map(async (page) => {
      const made = copies(page).map((cover) => keepPage(page, { ...data, cover }, packing));
      return [page, await Promise.all(made)] as const;
    });
    const [pages, own] = await Promise.all([
      Promise.all(entries),
      keepOwnPages({ pages: ownPages, data, theme, renderer, photos, publicUrl: parts.publicUrl, packing }),
    ]);
    return { data, pages: Object.fromEntries(pages) as Kept['pages'], own };
  }

  /** All of a page but its end. */
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

  async function keepPage(page: PageName, data: FullPageData, packing: Packing): Promise<KeptPage> {
    const { html, headers } = await composePage(page, data);
    const endAt = (at: Date) => documentEnd(page, parts.signTime(at));
    const route = routes[page].path;
    if (page !== 'home' && !renderer.development)
      return keepTimedPage({ html, endAt, headers, route, packing });
    const file = await keepFile(await finish(page, html + endAt(now())), htmlType, packing);
    const kept = makePage(file, headers, route);
    return { sendOut: () => kept };
  }

  /** One after the other, so that an older rendering never replaces a newer. */
  function refresh(packing: Packing = 'quick'): Promise<void> {
    rendering = rendering.then(async () => {
      try {
        kept = await renderAll(packing);
      } catch (error) {
        parts.onFailed(error);
      }
    });
    if (packing === 'quick') packLater();
    return rendering;
  }

  /** A page is there at once, and at its smallest a little later: packing all of them is more than half of a start. */
  function packLater(): void {
    clearTimeout(packTimer);
    if (!renderer.development) packTimer = setTimeout(() => void refresh('small'), packAfterMs).unref();
  }

  const sayDated = (year: number, closed: FullPageData['closed']) => JSON.stringify([year, closed]);

  /** The day is looked at once a minute: at each visit that was most of what a page cost. */
  const daily = onceAMinute(async (at) => {
    const { closed } = wordsNow(content.current().site, at);
    if (kept && sayDated(kept.data.year, kept.data.closed) !== sayDated(yearInNewZealand(at), closed))
      await refresh();
  });

  /** Before each visit. */
  async function renew(at: Date): Promise<void> {
    if (renderer.development) kept = await renderAll('quick');
    else await daily.run(at);
  }

  function sendOut(page: PageName, at: Date): Page | undefined {
    const copies = kept?.pages[page] ?? [];
    return copies[Math.floor(random() * copies.length)]?.sendOut(at);
  }

  const stops = [content.onChange(() => refresh()), photos.onChange(() => void refresh())];
  if (renderer.development) stops.push(content.onChange(renderer.development.reload));

  return {
    renderer,
    earlierBuilds: parts.earlierBuilds,
    content,
    publicUrl: parts.publicUrl,
    async start(run) {
      runQuery = run;
      kept = await renderAll('quick');
      packLater();
    },
    async get(page) {
      const at = now();
      await renew(at);
      const chosen = sendOut(page, at);
      if (!chosen) throw new Error(`The page ${page} is not rendered yet`);
      return chosen;
    },
    async getOwn(name) {
      await renew(now());
      return kept?.own.get(`/${name}`) ?? null;
    },
    findReady(address) {
      const at = now();
      if (renderer.development || !daily.isDone(at)) return null;
      const name = namesByPath.get(address);
      const page = name ? sendOut(name, at) : kept?.own.get(address);
      return page?.ready ?? null;
    },
    async answer(form, posted, sentOut) {
      await renew(now());
      if (!kept) throw new Error('The pages are not rendered yet');
      const { html, headers } = await composePage(form, { ...kept.data, posted });
      return {
        html: await finish(form, html + documentEnd(form, sentOut ?? parts.signTime(now()))),
        headers,
      };
    },
    async close() {
      clearTimeout(packTimer);
      for (const stop of stops) stop();
      await renderer.development?.close();
    },
  };
}
