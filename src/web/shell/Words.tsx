import { createElement, Fragment, type ReactNode } from 'react';
import { fillFrom } from '../../model/page-title.ts';
import { markWords, type Phrase, spans } from '../../model/phrase.ts';
import { useSite } from '../page-data-context.ts';

/** A sentence of site.yaml: names filled in, other languages marked, the trust's address a link. */
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
 * The words of a question or about it: as the form has them, with other languages marked. They may change, so they
 * have an element of their own that is replaced with them: a browser that translates the page takes React's text nodes
 * out of it (facebook/react#11538), and one that is gone can neither be changed nor removed.
 */
export function QuestionWords({ text }: { text: string }) {
  const { otherLanguages } = useSite();
  return createElement(
    'span',
    { key: text },
    ...markWords(text, otherLanguages).map((span) =>
      span.lang ? createElement('span', { lang: span.lang }, span.text) : span.text,
    ),
  );
}

function linkAddress(text: string, address: string): ReactNode {
  const [before, ...after] = text.split(address);
  return inARow([
    before,
    ...after.flatMap((rest) => [createElement('a', { href: `mailto:${address}` }, address), rest]),
  ]);
}

/** The parts of a sentence never change places, so they need no keys. */
const inARow = (parts: ReactNode[]): ReactNode => createElement(Fragment, null, ...parts);
