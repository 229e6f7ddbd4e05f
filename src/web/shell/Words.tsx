import { createElement, Fragment, memo, type ReactNode } from 'react';
import type { PageData } from '../../model/page-data.ts';
import { type Phrase, type Span, spans } from '../../model/phrase.ts';
import { fillFrom } from '../../model/site-words.ts';
import { usePageData } from '../page-data-context.ts';

/**
 * A sentence of site.yaml: placeholders filled in, other languages marked, the trust's email address as a link. Memoised, because
 * finding the words of other languages takes a slow phone longer than all else that a tick renders again.
 */
export const Words = memo(function Words({ phrase }: { phrase: Phrase }) {
  const data = usePageData();
  const { site } = data;
  return showSpans(spans(fillFrom(site, phrase), site.otherLanguages), data, (text) =>
    linkAddress(text, site.email),
  );
});

/**
 * Text of a question or about one, with other languages marked. The text may change, so it has an element of its own that
 * is replaced with it: a browser that translates the page removes React's text nodes (facebook/react#11538), and React
 * fails to update a removed node.
 */
export const QuestionWords = memo(function QuestionWords({ text }: { text: string }) {
  const data = usePageData();
  return createElement('span', { key: text }, showSpans(spans(text, data.site.otherLanguages), data));
});

/** Words of another language have an element with their language. */
export function showSpans(
  parts: readonly Span[],
  { language, site }: PageData,
  show: (text: string) => ReactNode = (text) => text,
): ReactNode {
  const { dir } = language;
  return inARow(
    parts.map(({ text, lang }) => {
      const words = show(dir ? isolate(text, site.address) : text);
      return lang ? createElement('span', dir ? { lang, dir: 'auto' } : { lang }, words) : words;
    }),
  );
}

/** In a text from right to left, the groups of a number and the parts of an address would change places. */
const isolate = (text: string, address: string): string =>
  text.replace(/\+?\d+(?: \d+)+/g, '\u2066$&\u2069').replace(address, '\u2066$&\u2069');

function linkAddress(text: string, address: string): ReactNode {
  const [before, ...after] = text.split(address);
  return inARow([
    before,
    ...after.flatMap((rest) => [createElement('a', { href: `mailto:${address}` }, address), rest]),
  ]);
}

/** For parts that never change order, and so need no keys. */
export const inARow = (parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
