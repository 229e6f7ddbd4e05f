import type { PageName } from '../../model/routes.ts';
import type { ReadyResponse } from '../http/ready-responses.ts';
import { compressFile, compressOpenEnded, htmlType, makeReady } from './compressed-file.ts';

/** A rendered page, the same for everybody. It is compressed at its first visit, or soon after it was rendered (docs/decisions/0123). */
export interface CachedPage {
  /** Null where the page could not be rendered. */
  get(at: Date): Promise<ReadyResponse | null>;
  /** Null until the page has been compressed. */
  findReady(at: Date): ReadyResponse | null;
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
  html: string;
  headers: PageHeaders;
  route: string;
}

export function cachePage({ html, headers, route }: RenderedPage): CachedPage {
  return compressOnce(async () => {
    const ready = makeReady(await compressFile(html, htmlType), revalidated(headers), route);
    return () => ready;
  });
}

/** A browser that has cached a form fetches it again after this long: answers on a form that was served a day ago are flagged. */
const stampHoldsMs = 12 * 60 * 60_000;

interface StampedPage extends RenderedPage {
  /** The last bytes, which follow the html and say when the page was sent. */
  endAt: (at: Date) => string;
}

/** A page that says when it was sent, to the second: everybody who asks within one second gets the same bytes. */
export function cacheStampedPage({ html, endAt, headers, route }: StampedPage): CachedPage {
  return compressOnce(async () => {
    const { hash, endWith } = await compressOpenEnded(html);
    let last: { second: number; ready: ReadyResponse } | undefined;
    return (at) => {
      const second = Math.floor(at.getTime() / 1_000);
      if (last?.second !== second) {
        const file = {
          type: htmlType,
          hash: `${hash}-${Math.floor(at.getTime() / stampHoldsMs)}`,
          // A newer time alone is no reason to fetch the page again.
          isWeak: true,
          bodies: endWith(endAt(at)),
        };
        last = { second, ready: makeReady(file, revalidated(headers), route) };
      }
      return last.ready;
    };
  });
}

/** Browsers ask again at each visit, and get a 304 where nothing changed. */
const revalidated = (headers: PageHeaders) => ({ ...headers, 'cache-control': 'no-cache' });

function compressOnce(compress: () => Promise<(at: Date) => ReadyResponse>): CachedPage {
  let compressing: Promise<(at: Date) => ReadyResponse> | undefined;
  let compressed: ((at: Date) => ReadyResponse) | undefined;
  return {
    async get(at) {
      compressing ??= compress();
      try {
        compressed = await compressing;
      } catch (error) {
        compressing = undefined;
        throw error;
      }
      return compressed(at);
    },
    findReady: (at) => compressed?.(at) ?? null,
  };
}

/** A page that is rendered when it is first asked for. One that cannot be is not rendered again: its data stays the same. */
export function renderLater(
  render: () => Promise<CachedPage>,
  onFailed: (error: unknown) => void,
): CachedPage {
  let rendering: Promise<CachedPage | null> | undefined;
  let rendered: CachedPage | null = null;
  return {
    async get(at) {
      rendering ??= render().catch((error) => {
        onFailed(error);
        return null;
      });
      rendered = await rendering;
      return rendered?.get(at) ?? null;
    },
    findReady: (at) => rendered?.findReady(at) ?? null,
  };
}
