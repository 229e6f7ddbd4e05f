import type { PageName } from '../../model/routes.ts';
import type { ReadyResponse } from '../http/ready-responses.ts';
import { compressFile, htmlType, makeReady } from './compressed-file.ts';

/** A rendered page, the same for everybody. It is compressed at its first visit, or soon after it was rendered (docs/decisions/0123). */
export interface CachedPage {
  /** Null where the page could not be rendered. */
  get(): Promise<ReadyResponse | null>;
  /** Null until the page has been compressed. */
  findReady(): ReadyResponse | null;
  /** Compresses the page where that was not done yet, or where it says another time than it did. */
  renew(): Promise<void>;
}

export type PageHeaders = Readonly<Record<string, string>>;

/**
 * The forms send their address along, to this site alone: without a referrer the browser's own post would say
 * `Origin: null`, like a post from another site.
 *
 * @param policy the Content-Security-Policy; null in development, where Vite's own scripts are in the page.
 */
export function pageHeaders(
  page: PageName | 'own',
  policy: string | null,
  { preview }: { preview?: boolean } = {},
): PageHeaders {
  return {
    ...(preview ? { 'x-robots-tag': 'noindex' } : {}),
    ...(policy === null ? {} : { 'content-security-policy': policy }),
    ...(page === 'home' || page === 'own' ? {} : { 'referrer-policy': 'same-origin' }),
  };
}

interface RenderedPage {
  /** The page as it is now. */
  compose: () => string;
  headers: PageHeaders;
  route: string;
}

export function cachePage({ compose, headers, route }: RenderedPage): CachedPage {
  // Browsers ask again at each visit, and get a 304 where nothing changed.
  const revalidated = { ...headers, 'cache-control': 'no-cache' };
  let compressed: { html: string; ready: ReadyResponse } | null = null;
  let compressing: Promise<void> | undefined;

  async function renew() {
    const html = compose();
    if (html === compressed?.html) return;
    compressed = { html, ready: makeReady(await compressFile(html, htmlType), revalidated, route) };
  }

  return {
    async get() {
      // A visit never brings a newer page about: an observer could tell whether anybody was here before.
      if (!compressed) {
        compressing ??= renew().finally(() => {
          compressing = undefined;
        });
        await compressing;
      }
      return compressed?.ready ?? null;
    },
    findReady: () => compressed?.ready ?? null,
    renew,
  };
}

/** A page that is rendered when it is first asked for. One that cannot be is not rendered again: its data stays the same. */
export function renderLater(
  render: () => Promise<CachedPage>,
  onFailed: (error: unknown) => void,
): CachedPage {
  let rendering: Promise<CachedPage | null> | undefined;
  let rendered: CachedPage | null = null;
  const renderOnce = async () => {
    rendering ??= render().catch((error) => {
      onFailed(error);
      return null;
    });
    rendered = await rendering;
    return rendered;
  };
  return {
    get: async () => (await renderOnce())?.get() ?? null,
    findReady: () => rendered?.findReady() ?? null,
    renew: async () => (await renderOnce())?.renew(),
  };
}
