import type { BotCheckClient } from '../../model/bot-check.ts';
import { meaningsOf } from '../../model/choice-meanings.ts';
import type { FormName } from '../../model/form-field.ts';
import type { Posted } from '../../model/page-data.ts';
import { type PageName, pageNames, routes } from '../../model/routes.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { Photos } from '../photos/photos.ts';
import { contentPolicy } from './content-policy.ts';
import { composeDocument, documentEnd, pageCss } from './document.ts';
import type { EarlierBuilds } from './earlier-builds.ts';
import { htmlType, type KeptFile, keepFile, type Packing } from './kept-file.ts';
import { endWith, keepOpenEnded } from './open-ended.ts';
import { keepOwnPages, menuOf } from './own-pages.ts';
import { type FullPageData, gatherPageData, type RunQuery, yearInNewZealand } from './page-data.ts';
import type { Renderer } from './renderer.ts';

/** A page, as it is sent out now. */
export interface Page {
  file: KeptFile;
  /** Its Content-Security-Policy; none in development, where Vite's own scripts are in the page. */
  policy: string | null;
}

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
  /**
   * The page that answers a form posted by the browser itself: HTML for this visitor alone. `sentOut` is when the form
   * was, where that is known.
   */
  answer(form: FormName, posted: Posted, sentOut: string | null): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  html: string;
  policy: string | null;
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

/** A page that is the same for everybody, but for when it was sent out. */
interface KeptPage {
  policy: string | null;
  sendOut(at: Date): KeptFile;
}

interface Kept {
  data: FullPageData;
  pages: Record<PageName, KeptPage[]>;
  own: ReadonlyMap<string, Page>;
}

/** A browser that comes back later gets the page anew, and with it the time: it is never taken for a page left open for a day. */
const timeHoldsMs = 12 * 60 * 60_000;

/** Of the covers a form brings along for whoever goes home from it. Two, because each is 85 bytes that the form waits for. */
const fewCovers = 2;

function withFewCovers(data: FullPageData, random: () => number): FullPageData {
  const { covers } = data.photos;
  const first = Math.floor(random() * covers.length);
  const few = [...covers.slice(first), ...covers.slice(0, first)].slice(0, fewCovers);
  return { ...data, photos: { ...data.photos, covers: few } };
}

/**
 * All visitors are anonymous, so a page is the same for all: it is rendered when the content, the photos or the year
 * change, and not for a visit.
 */
export function createPages(parts: PagesParts): Pages {
  const { renderer, content, photos, now, random = Math.random, packAfterMs = 20_000 } = parts;
  let runQuery: RunQuery = async () => ({});
  let kept: Kept | null = null;
  let keptYear = 0;
  let askedAtMinute = Number.NaN;
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
    keptYear = data.year;
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
    const data = page === 'home' ? all : withFewCovers(all, random);
    const { assets, development } = renderer;
    const { theme } = content.current();
    const css = pageCss(assets.css, data, theme);
    const body = await renderer.render(page, data);
    return {
      html: composeDocument({ page, data, theme, body, css, assets, publicUrl: parts.publicUrl }),
      policy: development
        ? null
        : contentPolicy({
            css,
            early: assets.early,
            botCheck: parts.botCheck,
            shieldedSite: data.site.shieldedSite,
          }),
    };
  }

  async function finish(page: PageName, html: string): Promise<string> {
    const { development } = renderer;
    return development ? development.finish(routes[page].path, html) : html;
  }

  async function keepPage(page: PageName, data: FullPageData, packing: Packing): Promise<KeptPage> {
    const { html, policy } = await composePage(page, data);
    const endAt = (at: Date) => documentEnd(page, parts.signTime(at));
    if (page === 'home' || renderer.development) {
      const file = await keepFile(await finish(page, html + endAt(now())), htmlType, packing);
      return { policy, sendOut: () => file };
    }
    const openEnded = await keepOpenEnded(html, htmlType, packing);
    let last = { second: Number.NaN, file: endWith(openEnded, endAt(now())) };
    return {
      policy,
      sendOut(at) {
        const second = Math.floor(at.getTime() / 1_000);
        if (last.second !== second) {
          const file = endWith(openEnded, endAt(at));
          const hash = `${file.hash}-${Math.floor(at.getTime() / timeHoldsMs)}`;
          last = { second, file: { ...file, hash } };
        }
        return last.file;
      },
    };
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

  /** Before each visit. The year is asked for once a minute: at each visit that was most of what a page cost. */
  async function renew(at: Date): Promise<void> {
    if (renderer.development) kept = await renderAll('quick');
    const minute = Math.floor(at.getTime() / 60_000);
    if (minute === askedAtMinute) return;
    askedAtMinute = minute;
    if (yearInNewZealand(at) !== keptYear) await refresh();
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
      const copies = kept?.pages[page] ?? [];
      const chosen = copies[Math.floor(random() * copies.length)];
      if (!chosen) throw new Error(`The page ${page} is not rendered yet`);
      return { file: chosen.sendOut(at), policy: chosen.policy };
    },
    async getOwn(name) {
      await renew(now());
      return kept?.own.get(name) ?? null;
    },
    async answer(form, posted, sentOut) {
      if (!kept) throw new Error('The pages are not rendered yet');
      const { html, policy } = await composePage(form, { ...kept.data, posted });
      return { html: await finish(form, html + documentEnd(form, sentOut ?? parts.signTime(now()))), policy };
    },
    async close() {
      clearTimeout(packTimer);
      for (const stop of stops) stop();
      await renderer.development?.close();
    },
  };
}
