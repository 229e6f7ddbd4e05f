import type { PageName } from '../../model/routes.ts';
import type { ReadyResponse } from '../http/ready-responses.ts';
import { htmlType, type KeptFile, makeReady, type Packing } from './compressed-file.ts';
import { endWith, keepOpenEnded } from './open-ended.ts';

/** A page, as it is sent out now. */
export interface Page {
  file: KeptFile;
  headers: PageHeaders;
  ready: ReadyResponse;
}

export type PageHeaders = Readonly<Record<string, string>>;

/** A page that is the same for everybody, but for when it was sent out. */
export interface KeptPage {
  sendOut(at: Date): Page;
}

/** A browser that comes back later gets the page anew, and with it the time: it is never taken for a page left open for a day. */
const timeHoldsMs = 12 * 60 * 60_000;

/**
 * What a page may do. A form's address goes along to this site alone: without it a browser says of a form that it posts
 * by itself that it comes from nowhere, and nobody could tell it from another site's.
 *
 * @param policy its Content-Security-Policy; none in development, where Vite's own scripts are in the page.
 */
export function pageHeaders(page: PageName | 'own', policy: string | null): PageHeaders {
  return {
    ...(policy === null ? {} : { 'content-security-policy': policy }),
    ...(page === 'home' || page === 'own' ? {} : { 'referrer-policy': 'same-origin' }),
  };
}

export function makePage(file: KeptFile, headers: PageHeaders, route: string): Page {
  // Always asked for again, and answered with 304 where nothing changed.
  return { file, headers, ready: makeReady(file, { ...headers, 'cache-control': 'no-cache' }, route) };
}

interface TimedPage {
  /** All but its end. */
  html: string;
  endAt: (at: Date) => string;
  headers: PageHeaders;
  route: string;
  packing: Packing;
}

/** A page whose end tells when it was sent out: made ready once a second, for all who ask in it. */
export async function keepTimedPage({ html, endAt, headers, route, packing }: TimedPage): Promise<KeptPage> {
  const openEnded = await keepOpenEnded(html, htmlType, packing);
  let last: { second: number; page: Page } | null = null;
  return {
    sendOut(at) {
      const second = Math.floor(at.getTime() / 1_000);
      if (last?.second !== second) {
        const file = endWith(openEnded, endAt(at));
        const hash = `${file.hash}-${Math.floor(at.getTime() / timeHoldsMs)}`;
        last = { second, page: makePage({ ...file, hash }, headers, route) };
      }
      return last.page;
    },
  };
}
