import { escapeHtml } from '../../model/escape-html.ts';
import { fitInRow, inLanguage } from '../../model/language.ts';
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
import { asText } from '../../model/phrase.ts';
import { type PageName, routes } from '../../model/routes.ts';
import { fillFrom, pageTitle } from '../../model/site-words.ts';
import { type Theme, themeColour, themeCss } from '../content/theme.ts';
import { type FullPageData, toClientData } from './load-page-data.ts';

/** The addresses of a page's scripts, and the style sheet and script inside it. */
export interface PageAssets {
  /** The style sheet inside every page. */
  css: string;
  /** The rules that a form does not need until its script runs. Inside the home page; for a form, a file. */
  laterCss: string;
  laterStyles: string;
  /** The script inside the page, which runs first. */
  early: string;
  script: string;
  /** The forms' part of the script. */
  formScript: string;
  /** In development, a module that brings the styles of the trust's own pages; else empty. */
  ownScript: string;
}

/**
 * For a menu with more than the two forms: closer links, and a second row of links before the trust's name takes a third
 * line. Here and not in the style sheet, because only sites with own pages should send these bytes.
 */
const menuCss =
  '@media (min-width:60em){#root header{flex-wrap:nowrap}#root header>a:first-of-type{min-inline-size:12em;font-size:var(--type-1)}#root header>nav ul{flex-wrap:wrap;justify-content:end;gap:0 4px}#root header>nav a{padding-inline:10px}}';

/** For languages that do not fit one row: as many names as do, and all of them unfolded. */
const manyLanguagesCss =
  '#root>nav details{flex:1;min-inline-size:0}#root>nav summary{min-block-size:44px;margin-block:-5px;line-height:44px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;cursor:pointer}#root>nav summary span{margin-inline:6px}#root>nav [open] summary span:not([aria-current]){display:none}#root>nav details li>*{margin-block:0}';

/** For a person who checks a translation. In English in every language, and the same on every site. */
const previewLine =
  '<p id="preview" lang="en" dir="ltr">Only people who know this address see this page: the translation is not offered to visitors yet.</p>';
const previewCss =
  '#preview{margin:0;padding:8px var(--gutter);background:var(--ink);color:#fff;font-size:.9375rem;line-height:1.4}';

/** For the notice of a closure, which only a closed site should send. */
export const closedCss =
  '#closed{margin:0;padding:10px var(--gutter);background:var(--tint);color:var(--primary);font-size:.9375rem;font-weight:600;line-height:1.45;text-align:center}@media (max-width:37.49875em){li#closed{flex:1 0 100%;inline-size:auto;margin:-16px calc(-1*var(--gutter)) 0}}@media (min-width:37.5em){#closed{font-size:1rem}#support ul{flex-wrap:wrap}li#closed{order:-1;display:block;inline-size:100%;min-block-size:0;padding:14px 20px;border-radius:var(--radius)}}';

/** For the Women's Refuge portal. Its bar is visible at the top of a window that is lower than the frame. */
const shieldedCss =
  '#shielded-button{min-block-size:44px;padding-inline:12px;border:0;border-radius:var(--radius-small);background:none;color:var(--primary);text-decoration:underline var(--accent);text-underline-offset:3px;cursor:pointer}#shielded-button:hover{background:var(--tint)}#shielded{max-inline-size:calc(100vw - 8px);max-block-size:calc(var(--screen) - 8px);padding:8px;border:0;border-radius:var(--radius-small);background:var(--paper);color:var(--ink)}#shielded::backdrop{background:rgb(31 45 58/.55)}#shielded>div{position:sticky;inset-block-start:-8px;display:flex;align-items:center;justify-content:space-between;background:var(--paper)}#shielded h2{margin:8px;font-size:1.125rem}#shielded iframe{display:block;max-inline-size:100%;border:0;background:#fff}';

/** Below photos of Pexels. */
const creditCss =
  '#credit{margin:8px 0 0;color:var(--ink-soft);font-size:var(--type-00)}#credit a{display:inline-block;padding-block:12px;margin-block:-12px}';

/** The rules for pages from right to left: 70 bytes of brotli that a site without such a language should not send. */
const mirroredRules = /(?<=^|[{}])\[dir=rtl\][^{},]*\{[^{}]*\}/g;

/**
 * The style sheet with a rule for each photo's colour, and the rules of the trust's theme.
 *
 * @param own the rules that only the trust's own pages need.
 */
export function pageCss(css: string, data: FullPageData, theme: Theme | undefined, own = ''): string {
  const rules = new Set(
    allPhotos(data.photos)
      .filter((photo) => /^#[0-9a-f]{6}$/i.test(photo.avg_color))
      .map((photo) => `.${colourClass(photo)}{background:${photo.avg_color}}`),
  );
  const isMirrored = [data.language, ...(data.languages ?? [])].some(({ dir }) => dir);
  const all =
    (isMirrored ? css : css.replace(mirroredRules, '')) +
    [...rules].join('') +
    (data.menu ? menuCss : '') +
    (data.closed ? closedCss : '') +
    (data.site.shieldedSite ? shieldedCss : '') +
    (allPhotos(data.photos).some(({ source }) => source === 'pexels') ? creditCss : '') +
    (fitInRow(data.languages ?? []) ? '' : manyLanguagesCss) +
    (data.preview ? previewCss : '') +
    themeCss(theme) +
    own;
  return numberProperties(all, css);
}

/**
 * Replaces the names of the built style sheet's custom properties by numbers, which saves 0.1 kB of brotli. In development
 * that style sheet is empty, and the names stay.
 */
export function numberProperties(css: string, built: string): string {
  const property = /--[\w-]+/g;
  const numbers = new Map(
    [...new Set(built.match(property))].map((name, at) => [name, `--${at.toString(36)}`]),
  );
  return css.replace(property, (name) => numbers.get(name) ?? name);
}

interface Rendered {
  page: PageName;
  /** The page's address in the original language, where it is not in the routes. */
  address?: string;
  data: FullPageData;
  theme: Theme | undefined;
  /** Rendered by React. */
  body: string;
  css: string;
  assets: PageAssets;
  publicUrl?: string | undefined;
}

/**
 * The page without its end. The style sheet is inside and the scripts are fetched after the first paint, so that the
 * words are painted within the first round trip.
 */
export function composeDocument(rendered: Rendered): string {
  const { page, data, assets } = rendered;
  return [
    openDocument(rendered),
    // Inside a script only '<' could end it early or open a comment.
    `<script type="application/json" id="${pageDataId}">${JSON.stringify(toClientData(data)).replaceAll('<', '\\u003c')}</script>`,
    scripts(page, assets),
    page === 'home' ? '' : trap(data) + openSentOut,
  ].join('');
}

/** One of the trust's own pages: whole, and with no script but the one inside it. */
export function composeOwnDocument(rendered: Rendered): string {
  const { ownScript } = rendered.assets;
  return (
    openDocument(rendered) + (ownScript ? `<script type="module" src="${ownScript}"></script>` : '') + end
  );
}

/** Up to and including what React rendered. */
function openDocument(rendered: Rendered): string {
  const { page, data, theme, body, css, assets, publicUrl, address = routes[page].path } = rendered;
  const { tag, dir, prefix } = data.language;
  const path = inLanguage(prefix, address);
  const meta = (name: string, content: string) => `<meta ${name} content="${escapeHtml(content)}">`;
  return [
    `<!doctype html><html lang="${escapeHtml(tag)}"${dir ? ` dir="${dir}"` : ''}${data.posted ? ` ${postedAttribute}` : ''}>`,
    '<head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    `<title>${escapeHtml(pageTitle(data.site, page))}</title>`,
    meta('name="description"', describe(page, data)),
    meta('name="theme-color"', themeColour(theme)),
    '<link rel="icon" type="image/svg+xml" href="/favicon.svg">',
    ...linkPreview(rendered, path).map(([property, content]) => meta(`property="og:${property}"`, content)),
    data.preview ? meta('name="robots"', 'noindex') : '',
    publicUrl ? `<link rel="canonical" href="${escapeHtml(publicUrl + path)}">` : '',
    ...alternates(data, publicUrl, address),
    `<style>${css}</style>`,
    `<script>${assets.early}</script>`,
    `</head><body>${leaveElement(data)}${data.preview ? previewLine : ''}<div id="${rootId}">${body}</div>`,
  ].join('');
}

/** The page in each language that is offered, for search engines, which want absolute addresses. */
function alternates(
  { languages = [], preview }: FullPageData,
  publicUrl: string | undefined,
  address: string,
) {
  if (publicUrl === undefined || preview) return [];
  const link = (tag: string, prefix: string) =>
    `<link rel="alternate" hreflang="${escapeHtml(tag)}" href="${escapeHtml(publicUrl + inLanguage(prefix, address))}">`;
  // x-default is for everybody else: the original.
  return languages.flatMap(({ tag, prefix }) => [link(tag, prefix), prefix ? '' : link('x-default', prefix)]);
}

/**
 * In a template, from which a browser fetches nothing: src/web/early/start-early.ts takes the scripts out of it. Not as
 * `modulepreload`, because WebKit never fetches a module again whose preload failed. A form names its part of the script too, so that
 * the browser fetches both at once.
 */
function scripts(page: PageName, { script, formScript, laterStyles }: PageAssets): string {
  const tag = (src: string, more = '') =>
    `<script type="module" fetchpriority="low"${more} src="${escapeHtml(src)}"></script>`;
  const name = formScript.split('/').at(-1) ?? '';
  const entry = tag(script, ` id="${entryElementId}" data-form="${escapeHtml(name)}"`);
  const later = `<link rel="stylesheet" href="${escapeHtml(laterStyles)}">`;
  const tags = page === 'home' || !formScript ? entry : later + entry + tag(formScript);
  return `<template id="${waitingScriptsId}">${tags}</template>`;
}

const end = '</body></html>';

/** The field with the signed time at which the server sent the form, up to its value. Outside the root element, so that React never removes it. */
const openSentOut = `<input type="hidden" form="${formId}" name="${noScriptFields.sentOut}" value="`;

/**
 * The end of a page. A form's end is new every second and so not compressed. It is short: the signed time, without the end
 * tags, which HTML does not need.
 */
export function documentEnd(page: PageName, sentOut: string): string {
  return page === 'home' ? end : `${escapeHtml(sentOut)}">`;
}

/** A field that people do not see, for bots to fill in. Its label is for people whose browser shows the field. */
function trap({ site }: FullPageData): string {
  const field = `<input name="${noScriptFields.trap}" form="${formId}" tabindex="-1" autocomplete="off">`;
  return `<p class="visually-hidden" aria-hidden="true"><label>${escapeHtml(asText(site.form.trap))} ${field}</label></p>`;
}

/** Outside the root element, because the exit must work before React does. */
function leaveElement({ site }: FullPageData): string {
  const { address, blank, onePress, twoPresses, expired } = site.leave;
  // In the order in which src/web/early/leave-early.ts reads them.
  const lines = ['', onePress, twoPresses, expired, blank, address];
  const words = escapeHtml(lines.map((line) => asText(line).replace(/\s+/g, ' ')).join('\n'));
  return `<div id="${leaveElementId}" class="visually-hidden" role="status" data-words="${words}"></div>`;
}

const describe = (page: PageName, { site }: FullPageData) =>
  asText(fillFrom(site, site.pages[page].description));

/** `mi` is mi_NZ: Open Graph wants the country too. */
function openGraphLocale(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize();
  return region ? `${language}_${region}` : language;
}

/** Open Graph. Addresses in it must be absolute, so there are some only where PUBLIC_URL is set. */
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
    ['locale', openGraphLocale(data.language.tag)],
    ...addresses.filter(([property]) => property === 'url' || photo),
  ];
}
