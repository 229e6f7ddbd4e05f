import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the form was posted by a page of this site, as far as the browser says. Sec-Fetch-Site decides alone. Without
 * it the Origin must be PUBLIC_URL or the host that a proxy in front uses. A browser that sends neither is older than
 * both, and is accepted: visitors' forms without a script are flagged in any case, and the page for staff is protected by
 * the key in its address, which no other site knows.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  // 'none': the visitor's own action, such as sending the form again after the browser was restarted.
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin, host } = headers;
  if (origin === undefined) return true;
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return true;
  return host !== undefined && (origin === `http://${host}` || origin === `https://${host}`);
}
