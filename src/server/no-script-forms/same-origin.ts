import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the page that posted this form was one of ours, as far as its browser says. Sec-Fetch-Site is the browser's
 * own word and decides alone. Where there is none the Origin must be ours: what visitors call this site, or what a proxy
 * in front calls this server. A browser that says neither is older than both, and is let in; what comes this way is
 * flagged in any case.
 */
export function isFromHere(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  // 'none': the visitor's own doing, such as sending it again after the browser was started anew.
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}
