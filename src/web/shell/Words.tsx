import { createElement, Fragment, type ReactNode } from 'react';
import { markWords, type Phrase, type Span, spans } from '../../model/phrase.ts';
import { fillFrom } from '../../model/site-words.ts';
import { useSite } from '../page-data-context.ts';

/** A sentence of site.yaml: placeholders filled in, other languages marked, the trust's email address as a link. */
export function Words({ phrase }: { phrase: Phrase }) {
  const site = useSite();
  return inARow(
    spans(fillFrom(site, phrase), site.otherLanguages).map(({ text, lang }) => {
      const words = linkAddress(text, site.email);
      return lang ? createElement('span', { lang }, words) : words;
    }),
  );
}

/**
 * Text of a question or about one, with other languages marked. The text may change, so it has an element of its own that
 * is replaced with it: a browser that translates the page removes React's text nodes (facebook/react#11538), and React
 * fails to update a removed node.
 */
export function QuestionWords({ text }: { text: string }) {
  const { otherLanguages } = useSite();
  return createElement('span', { key: text }, showSpans(markWords(text, otherLanguages)));
}

/** Words of another language have an element with their language. */
export const showSpans = (parts: readonly Span[]): ReactNode =>
  inARow(parts.map(({ text, lang }) => (lang ? createElement('span', { lang }, text) : text)));

function linkAddress(text: string, address: string): ReactNode {
  const [before, ...after] = text.split(address);
  return inARow([
    before,
    ...after.flatMap((rest) => [createElement('a', { href: `mailto:${address}` }, address), rest]),
  ]);
}

/** For parts that never change order, and so need no keys. */
export const inARow = (parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
