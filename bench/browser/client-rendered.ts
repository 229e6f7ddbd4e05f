import { type ChangedSite, fetchPages, startChangedSite } from './changed-site.ts';

/**
 * The same site the plain way: the same scripts and styles, but a page with nothing in it, which asks for the
 * questions when its script runs. What prerendering brings is the difference.
 */
export async function startClientRendered(origin: string): Promise<ChangedSite> {
  return startChangedSite(origin, await fetchPages(origin), emptied);
}

/** A page without what React made of it, and without the questions. */
export function emptied(html: string): string {
  return html
    .replace(/(?<=<div id="root">).*(?=<\/div><script type="application\/json")/s, '')
    .replace(/"forms":\{.*\},"meanings"/s, '"forms":{"help":null,"contact":null},"meanings"');
}
