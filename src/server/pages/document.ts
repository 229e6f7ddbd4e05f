import { escapeHtml } from '../../model/escape-html.ts';
import { inLanguage } from '../../model/language.ts';
import { formId, noScriptFields } from '../../model/no-script-fields.ts';
import {
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
import { type Theme, themeColour } from '../content/theme.ts';
import { type FullPageData, toClientData } from './load-page-data.ts';

/** The addresses of a page's scripts, and the style sheet and script inside it. */
export interface PageAssets {
  /** The style sheet inside every page. */
  css: string;
  /** The rules for paper. A form has them in the file of its later rules. */
  print: string;
  /** The file of rules that a form does not need until its script runs. */
  laterStyles: string;
  /** The script inside the page, which runs first. */
  early: string;
  /** The script inside the home page alone, ahead of the other: for slow connections. */
  slow: string;
  script: string;
  /** The forms' part of the script. */
  formScript: string;
  /** In development, a module that brings the styles of the trust's own pages; else empty. */
  ownScript: string;
}

/** For a person who checks a translation. In English in every language, and the same on every site. */
const previewLine =
  '<p id="preview" lang="en" dir="ltr">Only people who know this address see this page: the translation is not offered to visitors yet.</p>';

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
  publicUrl: string | undefined;
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
    `<script type="application/json" id="${pageDataId}">${JSON.stringify(toClientData(page, data)).replaceAll('<', '\\u003c')}</script>`,
    scripts(page, assets),
    page === 'home' ? '' : printStyles(assets) + trap(data),
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
    `<script>${earlyScript(page, assets)}</script>`,
    `</head><body>${leaveElement(data)}${data.preview ? previewLine : ''}<div id="${rootId}">${body}</div>`,
  ].join('');
}

/** The script inside a page. */
export const earlyScript = (page: PageName, { early, slow }: PageAssets): string =>
  page === 'home' ? slow + early : early;

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

/** Without a script nothing takes the later rules out of the template, and a form is printed all the same. */
const printStyles = ({ laterStyles }: PageAssets): string =>
  `<noscript><link rel="stylesheet" href="${escapeHtml(laterStyles)}" media="print"></noscript>`;

const end = '</body></html>';

/** Of a form, with a field that has the signed time. The field is outside the root element, so that React never removes it. */
export function documentEnd(page: PageName, sentOut: string): string {
  if (page === 'home') return end;
  return `<input type="hidden" form="${formId}" name="${noScriptFields.sentOut}" value="${escapeHtml(sentOut)}">${end}`;
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
  // No type: a page without one is a website.
  return [
    ['site_name', asText(data.site.organisation)],
    title,
    ['description', describe(page, data)],
    ['locale', openGraphLocale(data.language.tag)],
    ...addresses.filter(([property]) => property === 'url' || photo),
  ];
}
