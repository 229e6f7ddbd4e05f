import type { FormName } from '../../model/form-field.ts';
import type { Posted } from '../../model/page-data.ts';
import { routes } from '../../model/routes.ts';
import type { ContentSource } from '../content/content-source.ts';
import type { FindReady, ReadyResponse } from '../http/ready-responses.ts';
import { applyClosure, nzYear } from './apply-closure.ts';
import type { CachedPage, PageHeaders } from './cached-page.ts';
import type { FullPageData } from './load-page-data.ts';
import { createRendering, type RenderingParts } from './render-pages.ts';
import type { Renderer } from './renderer.ts';

export interface Pages {
  readonly renderer: Renderer;
  readonly content: ContentSource;
  readonly publicUrl: string | undefined;
  /** The page at this path, compressed. Null where there is none, or none that can be rendered. */
  find(address: string): Promise<ReadyResponse | null>;
  /**
   * The path of the page for a visitor who asked for a path without a page: the home page in the same language. The
   * original's page, where the page in another language cannot be rendered or the language is not shown any more.
   */
  findInstead(address: string): string;
  /** The same without waiting. Null also where the page has to be compressed first. */
  findReady: FindReady;
  /**
   * The page that responds to a form posted by the browser itself, for this visitor alone. `sentOut` is the signed time
   * that the form came back with, if any. `language` is the tag of a translation; null for the original.
   */
  renderPosted(
    form: FormName,
    posted: Posted,
    sentOut: string | null,
    language?: string | null,
  ): Promise<{ html: string; headers: PageHeaders }>;
  /** Whether the pages could not be rendered again, so that older ones are served. */
  areOutdated(): boolean;
  close(): Promise<void>;
}

interface PagesParts extends RenderingParts {
  content: ContentSource;
}

/**
 * How soon pages follow the clock (the hour in a form, the year, a closure), and are compressed. Late enough not to slow
 * down the start, and early enough that an observer rarely asks first.
 */
const checkEveryMs = 5_000;

/**
 * Visitors are anonymous, so a page is the same for all of them: the pages are rendered when the content, the photos or
 * the day's words (the year, a closure) change, and not for each visit.
 *
 * @throws where a page of the original cannot be rendered.
 */
export async function createPages(parts: PagesParts): Promise<Pages> {
  const { renderer, content, photos, now, random = Math.random } = parts;
  const { renderAll, renderOnce } = createRendering(parts);

  let rendered = await renderAll(content.current());
  let isOutdated = false;
  let compressing: Promise<void> = Promise.resolve();
  // Not at a visit: an observer could tell whether anybody was here before.
  const timer = setInterval(() => {
    if (renderer.development) return;
    void renderIfOutdated();
    compressing = compressing.then(compressAll);
  }, checkEveryMs).unref();

  /** Compresses pages before they are asked for: a slow response would tell an observer that nobody was here before. */
  async function compressAll(): Promise<void> {
    const { copies } = rendered;
    for (const page of [...copies.values()].flat()) {
      // Newer pages are next.
      if (copies !== rendered.copies) return;
      await page.renew().catch(parts.onFailed);
    }
  }
  let rendering: Promise<void> = Promise.resolve();

  /** One after the other, so that older pages never replace newer ones. */
  function refresh(): Promise<void> {
    rendering = rendering.then(async () => {
      try {
        rendered = await renderAll(content.current());
        isOutdated = false;
      } catch (error) {
        isOutdated = true;
        parts.onFailed(error);
      }
    });
    return rendering;
  }

  const describeDay = (year: number, closed: FullPageData['closed']) => JSON.stringify([year, closed]);

  async function renderIfOutdated(): Promise<void> {
    const { closed } = applyClosure(content.current().site, now());
    const { data } = rendered;
    if (renderer.development) rendered = await renderAll(content.current());
    else if (describeDay(data.year, data.closed) !== describeDay(nzYear(now()), closed)) await refresh();
  }

  const pickCopy = (path: string): CachedPage | undefined => {
    const copies = rendered.copies.get(path);
    return copies?.[Math.floor(random() * copies.length)];
  };

  const unsubscribes = [content.onChange(() => refresh()), photos.onChange(() => void refresh())];
  if (renderer.development) unsubscribes.push(content.onChange(renderer.development.reload));

  return {
    renderer,
    content,
    publicUrl: parts.publicUrl,
    async find(address) {
      if (renderer.development) await renderIfOutdated();
      return (await pickCopy(address)?.get()) ?? null;
    },
    findInstead(address) {
      const inSmallLetters = address.toLowerCase();
      // A tag is written with capital letters: /zh-Hans/help.
      if (inSmallLetters !== address && rendered.copies.has(inSmallLetters)) return inSmallLetters;
      const [, name = '', ...rest] = inSmallLetters.split('/');
      // Of a language, also one that is gone.
      if (!/^[a-z]{2,3}(-[a-z0-9]{1,8})*$/.test(name)) return routes.home.path;
      const original = `/${rest.join('/')}`;
      const home = `/${name}`;
      // There is a page at this address, and it could not be rendered.
      if (rendered.copies.has(address) || !rendered.copies.has(home))
        return rendered.copies.has(original) ? original : routes.home.path;
      return home;
    },
    findReady(address) {
      if (renderer.development) return null;
      return pickCopy(address)?.findReady() ?? null;
    },
    async renderPosted(form, posted, sentOut, language = null) {
      await renderIfOutdated();
      const data = rendered.translations.get(language ?? '') ?? rendered.data;
      const { theme } = content.current();
      return renderOnce(form, { ...data, posted }, theme, sentOut ?? parts.signTime(now()));
    },
    areOutdated: () => isOutdated,
    async close() {
      for (const stop of unsubscribes) stop();
      clearInterval(timer);
      await renderer.development?.close();
    },
  };
}
