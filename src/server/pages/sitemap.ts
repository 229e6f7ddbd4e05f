import { escapeHtml } from '../../model/escape-html.ts';
import { inLanguage } from '../../model/language.ts';
import { pageNames, routes } from '../../model/routes.ts';
import type { Content } from '../content/content.ts';
import { shownLanguages } from '../content/languages/shown-languages.ts';

/** Every page in every language that is offered, each with its addresses in all of them: https://www.sitemaps.org/protocol.html */
export function composeSitemap(content: Content, publicUrl: string): string {
  const offered = shownLanguages(content, []).map((shown) => shown.content.language);
  const languages = [{ tag: content.site.language.tag, prefix: '' }, ...offered];
  const addresses = [
    ...pageNames.map((name) => routes[name].path),
    ...content.ownPages.map(({ name }) => `/${name}`),
  ];
  const urlOf = (prefix: string, address: string) => escapeHtml(publicUrl + inLanguage(prefix, address));
  const alternate = (tag: string, url: string) =>
    `<xhtml:link rel="alternate" hreflang="${escapeHtml(tag)}" href="${url}"/>`;
  const entries = addresses.flatMap((address) => {
    const alternates = [
      ...languages.map(({ tag, prefix }) => alternate(tag, urlOf(prefix, address))),
      alternate('x-default', urlOf('', address)),
    ];
    const inOthers = offered.length > 0 ? alternates.join('') : '';
    return languages.map(({ prefix }) => `<url><loc>${urlOf(prefix, address)}</loc>${inOthers}</url>`);
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...entries,
    '</urlset>',
    '',
  ].join('\n');
}
