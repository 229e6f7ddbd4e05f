import { createElement, type ReactNode } from 'react';
import { inLanguage } from '../../model/language.ts';
import type { Block, Cell, Inline } from '../../model/own-page.ts';
import { asText, type Phrase, spans } from '../../model/phrase.ts';
import type { PageName } from '../../model/routes.ts';
import { fillFrom } from '../../model/site-words.ts';
import type { OwnPageProps } from '../../model/view.ts';
import styles from '../App.module.css';
import { SkipLink } from '../App.tsx';
import { FirstPathContext } from '../navigation/path.ts';
import { PageDataContext, usePageData, useSite } from '../page-data-context.ts';
import { Footer } from '../shell/Footer.tsx';
import { LanguageChoice } from '../shell/LanguageChoice.tsx';
import { PageFrame } from '../shell/PageFrame.tsx';
import { TopBar } from '../shell/TopBar.tsx';
import { inARow, showSpans, Words } from '../shell/Words.tsx';

/**
 * One of the trust's own pages. Rendered on the server alone: the inline script runs the menu and the exit, so the browser
 * fetches no bundle, and the bundles of the other pages contain nothing of this page (docs/decisions/0063).
 */
export function OwnPage({ page, data }: OwnPageProps) {
  return (
    <PageDataContext value={data}>
      <FirstPathContext value={inLanguage(data.language.prefix, `/${page.name}`)}>
        <SkipLink />
        <TopBar />
        <LanguageChoice />
        <main id="main" className={styles.main} tabIndex={-1}>
          <div className={page.photo ? undefined : 'without-photo'}>
            <PageFrame page={page.name as PageName}>
              <div className="article">{inARow(page.article.map(showTopBlock))}</div>
            </PageFrame>
          </div>
        </main>
        <Footer />
      </FirstPathContext>
    </PageDataContext>
  );
}

/** A block in another language than the page has an element with its language. */
const showTopBlock = (block: Block): ReactNode =>
  block.lang ? createElement('div', { lang: block.lang }, showBlock(block)) : showBlock(block);

function showBlock(block: Block): ReactNode {
  const language = languageOf(block);
  if (block.kind === 'list') {
    const { start, items } = block;
    const shown = items.map((item) => createElement('li', null, ...item.map(showBlock)));
    if (start === null) return createElement('ul', language, ...shown);
    return createElement('ol', { start: start === 1 ? undefined : start, ...language }, ...shown);
  }
  if (block.kind === 'quote') return createElement('blockquote', language, ...block.blocks.map(showBlock));
  if (block.kind === 'table') return createElement(Table, block);
  const inside = block.inside.map((part) => showPart(part));
  if (block.kind === 'words') return language ? createElement('span', language, ...inside) : inARow(inside);
  return createElement(block.kind === 'heading' ? `h${block.level}` : 'p', language, ...inside);
}

/** A block without a translation may have another direction than the page. */
const languageOf = ({ lang }: Block) => (lang ? { lang, dir: 'auto' } : null);

/** A table wider than the window scrolls. Focusable, so that a keyboard can scroll it. */
function Table(table: Extract<Block, { kind: 'table' }>) {
  const { head, rows } = table;
  const site = useSite();
  const name = head
    .map(({ inside }) => asText(fillFrom(site, wordsOf(inside))))
    .filter(Boolean)
    .join(', ');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
    <section {...languageOf(table)} className="table" aria-label={name} tabIndex={0}>
      <table>
        <thead>{createElement('tr', null, ...head.map((cell) => showCell(cell, true)))}</thead>
        {createElement(
          'tbody',
          null,
          ...rows.map((row) => createElement('tr', null, ...row.map((cell) => showCell(cell)))),
        )}
      </table>
    </section>
  );
}

function showCell({ inside, align }: Cell, heads = false): ReactNode {
  // A screen reader would announce an empty heading.
  const isHead = heads && inside.length > 0;
  return createElement(
    isHead ? 'th' : 'td',
    { className: align, scope: isHead ? 'col' : undefined },
    ...inside.map((part) => showPart(part)),
  );
}

const wordsOf = (inside: Inline[]): string =>
  inside
    .map((part) => (part.kind === 'text' ? part.text : part.kind === 'break' ? ' ' : wordsOf(part.inside)))
    .join('');

function showPart(part: Inline, inLink = false): ReactNode {
  if (part.kind === 'break') return createElement('br');
  // `Words` links the trust's address, and a link must not contain another.
  if (part.kind === 'text')
    return inLink ? createElement(WordsInLink, part) : createElement(Words, { phrase: part.text });
  if (part.kind !== 'link')
    return createElement(part.kind, null, ...part.inside.map((one) => showPart(one, inLink)));
  return createElement(Link, part);
}

function Link({ href, inside }: Extract<Inline, { kind: 'link' }>) {
  const { prefix } = usePageData().language;
  const elsewhere = href.startsWith('https:') ? { rel: 'noreferrer' } : {};
  const shown = inside.map((one) => showPart(one, true));
  return createElement('a', { href: inLanguage(prefix, href), ...elsewhere }, ...shown);
}

function WordsInLink({ text }: { text: Phrase }) {
  const data = usePageData();
  const { site } = data;
  return showSpans(spans(fillFrom(site, text), site.otherLanguages), data);
}
