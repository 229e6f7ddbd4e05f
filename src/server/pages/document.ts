import { escapeHtml } from '../../model/escape-html.ts';
import { formId, noScriptFields } from '../../model/no-script-fields.ts';
import {
  allPhotos,
  colourClass,
  entryElementId,
  leaveElementId,
  pageDataId,
  postedAttribute,
  rootId,
  waitingScriptsId,
} from '../../model/page-data.ts';
import { fillFrom, pageTitle } from '../../model/page-title.ts';
import { asText } from '../../model/phrase.ts';
import { type PageName, routes } from '../../model/routes.ts';
import { type Theme, themeColour, themeCss } from '../content/theme.ts';
import { type FullPageData, travelling } from './load-page-data.ts';

/** The addresses a page fetches its code from, and the style sheet that travels inside it. */
export interface PageAssets {
  css: string;
  /** The script that travels inside the page and runs first. */
  early: string;
  script: string;
  /** The forms' part of it. */
  formScript: string;
  /** In development, what brings the styles of a page of the trust's own; empty where the page itself does. */
  ownScript: string;
}

/**
 * Where the bar leads to more than the two forms: its links stand closer, and in a second row before the trust's name
 * needs a third. Here, because the other pages have no byte to spare for it.
 */
const menuCss =
  '@media (min-width:60em){#root header{flex-wrap:nowrap}#root header>a:first-of-type{min-inline-size:12em;font-size:var(--type-1)}#root header>nav ul{flex-wrap:wrap;justify-content:end;gap:0 4px}#root header>nav a{padding-inline:10px}}';

/** Where a closure is near or on. The other pages have no byte to spare for it either. */
export const closedCss =
  '#closed{margin:0;padding:10px var(--gutter);background:var(--tint);color:var(--primary);font-size:.9375rem;font-weight:600;line-height:1.45;text-align:center}@media (max-width:37.49875em){li#closed{flex:1 0 100%;inline-size:auto;margin:-16px calc(-1*var(--gutter)) 0}}@media (min-width:37.5em){#closed{font-size:1rem}#support ul{flex-wrap:wrap}li#closed{order:-1;display:block;inline-size:100%;min-block-size:0;padding:14px 20px;border-radius:var(--radius)}}';

/**
 * The style sheet with a rule for each photo's colour, and those of the trust's own looks.
 *
 * @param own what a page of the trust's own adds to it. All others have the same.
 */
export function pageCss(css: string, data: FullPageData, theme: Theme | undefined, own = ''): string {
  const rules = new Set(
    allPhotos(data.photos)
      .filter((photo) => /^#[0-9a-f]{6}$/i.test(photo.avg_color))
      .map((photo) => `.${colourClass(photo)}{background:${photo.avg_color}}`),
  );
  const all =
    css +
    [...rules].join('') +
    (data.menu ? menuCss : '') +
    (data.closed ? closedCss : '') +
    themeCss(theme) +
    own;
  return numberProperties(all, css);
}

/**
 * Custom properties by a number instead of a name, which cannot be compressed (0.1 kB of brotli): all that the built style
 * sheet has. In development it has none, because Vite brings the styles, and the names stay.
 */
function numberProperties(css: string, built: string): string {
  const property = /--[\w-]+/g;
  const numbers = new Map(
    [...new Set(built.match(property))].map((name, at) => [name, `--${at.toString(36)}`]),
  );
  return css.replace(property, (name) => numbers.get(name) ?? name);
}

export interface Rendered {
  page: PageName;
  /** Its address, where the routes do not have it. */
  path?: string;
  data: FullPageData;
  theme: Theme | undefined;
  /** What React made of it. */
  body: string;
  css: string;
  assets: PageAssets;
  publicUrl?: string | undefined;
}

/**
 * The whole page in one answer, but for its end: the style sheet inside, the scripts asked for once it has been painted,
 * so that the words paint in the first round trip.
 */
export function composeDocument(rendered: Rendered): string {
  const { page, data, assets } = rendered;
  return [
    openDocument(rendered),
    // In a script, only '<' could end it early or open a comment.
    `<script type="application/json" id="${pageDataId}">${JSON.stringify(travelling(data)).replaceAll('<', '\\u003c')}</script>`,
    scripts(page, assets),
    page === 'home' ? '' : trap(data) + openSentOut,
  ].join('');
}

/** A page of the trust's own: whole, and with no script but the one inside it. */
export function composeOwnDocument(rendered: Rendered): string {
  const { ownScript } = rendered.assets;
  return (
    openDocument(rendered) + (ownScript ? `<script type="module" src="${ownScript}"></script>` : '') + end
  );
}

/** Down to what React made. */
function openDocument(rendered: Rendered): string {
  const { page, data, theme, body, css, assets, publicUrl, path = routes[page].path } = rendered;
  const meta = (name: string, content: string) => `<meta ${name} content="${escapeHtml(content)}">`;
  return [
    `<!doctype html><html lang="en-NZ"${data.posted ? ` ${postedAttribute}` : ''}><head><meta charset="utf-8">`,
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(pageTitle(data.site, page))}</title>`,
    meta('name="description"', describe(page, data)),
    meta('name="theme-color"', themeColour(theme)),
    '<link rel="icon" type="image/svg+xml" href="/favicon.svg">',
    ...linkPreview(rendered, path).map(([property, content]) => meta(`property="og:${property}"`, content)),
    publicUrl ? `<link rel="canonical" href="${escapeHtml(publicUrl + path)}">` : '',
    `<style>${css}</style>`,
    `<script>${assets.early}</script>`,
    `</head><body>${leaveElement(data)}<div id="${rootId}">${body}</div>`,
  ].join('');
}

/**
 * In a template, where a browser asks for nothing: src/web/early/start-early.ts takes them out of it. Not as `modulepreload`:
 * WebKit never again asks for a module that failed as one. The forms' part is asked for at once where it is needed, so
 * that the browser need not find out by and by.
 */
function scripts(page: PageName, { script, formScript }: PageAssets): string {
  const tag = (src: string, more = '') =>
    `<script type="module" fetchpriority="low"${more} src="${escapeHtml(src)}"></script>`;
  const name = formScript.split('/').at(-1) ?? '';
  const entry = tag(script, ` id="${entryElementId}" data-form="${escapeHtml(name)}"`);
  const tags = page === 'home' || !formScript ? entry : entry + tag(formScript);
  return `<template id="${waitingScriptsId}">${tags}</template>`;
}

const end = '</body></html>';

/** Says when the server sent a form out: the field up to its value. Outside React's part, so that it is there in any case. */
const openSentOut = `<input type="hidden" form="${formId}" name="${noScriptFields.sentOut}" value="`;

/**
 * The end of a page. A form's is new every second and so not compressed: it has the value alone, without the end tags,
 * which HTML does not need.
 */
export function documentEnd(page: PageName, sentOut: string): string {
  return page === 'home' ? end : `${escapeHtml(sentOut)}">`;
}

/** A field of the form that people do not see. Whoever's browser shows it all the same is told what to do. */
function trap({ site }: FullPageData): string {
  const field = `<input name="${noScriptFields.trap}" form="${formId}" tabindex="-1" autocomplete="off">`;
  return `<p class="visually-hidden" aria-hidden="true"><label>${escapeHtml(asText(site.form.trap))} ${field}</label></p>`;
}

/** Outside React's part, because it must be there before React is. */
function leaveElement({ site }: FullPageData): string {
  const { address, blank, onePress, twoPresses, expired } = site.leave;
  // In the order that src/web/early/leave-early.ts reads them in.
  const lines = ['', onePress, twoPresses, expired, blank, address];
  const words = escapeHtml(lines.map((line) => asText(line).replace(/\s+/g, ' ')).join('\n'));
  return `<div id="${leaveElementId}" class="visually-hidden" role="status" data-words="${words}"></div>`;
}

const describe = (page: PageName, { site }: FullPageData) =>
  asText(fillFrom(site, site.pages[page].description));

/** Open Graph. Addresses in it must be absolute, so they are there only where the site knows its own. */
function linkPreview({ page, data, publicUrl }: Rendered, path: string): [string, string][] {
  const title: [string, string] = ['title', pageTitle(data.site, page)];
  if (data.site.discreetTitles) return [title];
  const { covers, headers } = data.photos;
  const photo = headers[page] ?? covers[0];
  const addresses: [string, string][] = publicUrl
    ? [
        ['url', publicUrl + path],
        ['image', publicUrl + (photo?.src.landscape ?? '')],
        ['image:alt', photo?.alt ?? ''],
      ]
    : [];
  return [
    ['type', 'website'],
    ['site_name', asText(data.site.organisation)],
    title,
    ['description', describe(page, data)],
    ['locale', 'en_NZ'],
    ...addresses.filter(([property]) => property === 'url' || photo),
  ];
}
