import type { BotCheckClient } from '../../model/bot-check.ts';
import type { PageData } from '../../model/page-data.ts';
import { type PageName, pageNames, routes } from '../../model/routes.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { Photos } from '../photos/photos.ts';
import { contentPolicy } from './content-policy.ts';
import { composeDocument, pageCss } from './document.ts';
import type { EarlierBuilds } from './earlier-builds.ts';
import { type KeptFile, keepFile } from './kept-file.ts';
import { gatherPageData, type RunQuery, yearInNewZealand } from './page-data.ts';
import type { Renderer } from './renderer.ts';

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
  readonly contentDir: string;
  readonly publicUrl?: string | undefined;
  /** Renders the pages for the first time. The queries are the browser's own, run in the server. */
  start(runQuery: RunQuery): Promise<void>;
  /** A page, ready to send. The home page has a copy for each cover photo, of which one is picked at random. */
  get(page: PageName): Promise<Page>;
  close(): Promise<void>;
}

export interface PagesParts {
  renderer: Renderer;
  earlierBuilds?: EarlierBuilds | undefined;
  content: ContentSource;
  contentDir: string;
  photos: Photos;
  botCheck: BotCheckClient;
  retentionDays: number;
  publicUrl?: string | undefined;
  now: () => Date;
  random?: () => number;
  /** Told when the pages could not be rendered anew; the last ones stay. */
  onFailed: (error: unknown) => void;
}

type Kept = Record<PageName, Page[]>;

/**
 * All visitors are anonymous, so a page is the same for all: it is rendered when the content, the photos or the year
 * change, and not for a visit.
 */
export function createPages(parts: PagesParts): Pages {
  const { renderer, content, photos, now, random = Math.random } = parts;
  let runQuery: RunQuery = async () => ({});
  let kept: Kept | null = null;
  let keptYear = 0;
  let rendering: Promise<void> = Promise.resolve();

  async function renderAll(): Promise<Kept> {
    const data = await gatherPageData({
      site: content.current().site,
      helplines: content.current().helplines,
      photos,
      botCheck: parts.botCheck,
      retentionDays: parts.retentionDays,
      runQuery,
      now: now(),
    });
    keptYear = data.year;
    const copies = (page: PageName) =>
      page === 'home' && data.photos.covers.length > 0 ? data.photos.covers.map((_, cover) => cover) : [0];
    const entries = pageNames.map(async (page) => {
      const made = copies(page).map((cover) => renderPage(page, { ...data, cover }));
      return [page, await Promise.all(made)] as const;
    });
    return Object.fromEntries(await Promise.all(entries)) as Kept;
  }

  async function renderPage(page: PageName, data: PageData): Promise<Page> {
    const { assets, development } = renderer;
    const css = pageCss(assets.css, data);
    const body = await renderer.render(page, data);
    const html = composeDocument({ page, data, body, css, assets, publicUrl: parts.publicUrl });
    const finished = development ? await development.finish(routes[page].path, html) : html;
    return {
      file: await keepFile(finished, 'text/html; charset=utf-8'),
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

  /** One after the other, so that an older rendering never replaces a newer. */
  function refresh(): Promise<void> {
    rendering = rendering.then(async () => {
      try {
        kept = await renderAll();
      } catch (error) {
        parts.onFailed(error);
      }
    });
    return rendering;
  }

  const stops = [content.onChange(refresh), photos.onChange(() => void refresh())];
  if (renderer.development) stops.push(content.onChange(renderer.development.reload));

  return {
    renderer,
    earlierBuilds: parts.earlierBuilds,
    content,
    contentDir: parts.contentDir,
    publicUrl: parts.publicUrl,
    async start(run) {
      runQuery = run;
      kept = await renderAll();
    },
    async get(page) {
      if (renderer.development) kept = await renderAll();
      else if (yearInNewZealand(now()) !== keptYear) await refresh();
      const copies = kept?.[page] ?? [];
      const chosen = copies[Math.floor(random() * copies.length)];
      if (!chosen) throw new Error(`The page ${page} is not rendered yet`);
      return chosen;
    },
    async close() {
      for (const stop of stops) stop();
      await renderer.development?.close();
    },
  };
}
