import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { shippedContent } from '../../../test/support/forms.ts';
import type { Inline, OwnPage as OwnPageContent } from '../../model/own-page.ts';
import type { PageData } from '../../model/page-data.ts';
import { OwnPage } from './OwnPage.tsx';

const text = (words: string): Inline => ({ kind: 'text', text: words });

function render(article: OwnPageContent['article'], prefix = ''): string {
  const page: OwnPageContent = {
    name: 'about-us',
    title: 'About us',
    subtitle: '',
    description: 'x',
    article,
  };
  const { site } = shippedContent;
  const data = {
    language: { tag: 'en-NZ', name: 'English', prefix },
    site: {
      ...site,
      pages: { ...site.pages, 'about-us': { ...page, breadcrumb: page.title, heading: page.title } },
    },
    photos: { covers: [], cards: [], headers: {} },
    menu: [{ path: '/about-us', label: 'About us' }],
    year: 2026,
  } as unknown as PageData;
  return renderToStaticMarkup(<OwnPage page={page} data={data} />);
}
const articleOf = (html: string) => /<div class="article">(.*?)<\/div>/s.exec(html)?.[1];

test('the text is what was written, and never markup', () => {
  const html = articleOf(
    render([
      { kind: 'heading', level: 2, inside: [text('<script>alert(1)</script>')] },
      { kind: 'paragraph', inside: [text('a'), { kind: 'break' }, { kind: 'em', inside: [text('"b"')] }] },
      {
        kind: 'list',
        start: 3,
        items: [[{ kind: 'words', inside: [text('one')] }], [{ kind: 'paragraph', inside: [text('two')] }]],
      },
    ]),
  );
  expect(html).toBe(
    '<h2>&lt;script&gt;alert(1)&lt;/script&gt;</h2><p>a<br/><em>&quot;b&quot;</em></p><ol start="3"><li>one</li><li><p>two</p></li></ol>',
  );
});

test('the trust’s name and address are filled in, other languages are marked, and no link is within another', () => {
  const html = articleOf(
    render([
      { kind: 'paragraph', inside: [text('Write to {email}, whānau of {organisation}.')] },
      {
        kind: 'paragraph',
        inside: [{ kind: 'link', href: 'https://trust.example/', inside: [text('{email} or whānau')] }],
      },
      { kind: 'paragraph', inside: [{ kind: 'link', href: '/help', inside: [text('here')] }] },
    ]),
  );
  expect(html).toBe(
    '<p>Write to <a href="mailto:kiaora@kowhai.example">kiaora@kowhai.example</a>, <span lang="mi">whānau</span> of <span lang="mi">Kōwhai</span> Family Support Centre.</p>' +
      '<p><a href="https://trust.example/" rel="noreferrer">kiaora@kowhai.example or <span lang="mi">whānau</span></a></p>' +
      '<p><a href="/help">here</a></p>',
  );
});

test('an own page has the frame of all pages, and the menu marks it as the current page', () => {
  const html = render([]);
  expect(html).toContain('<span aria-current="page" aria-disabled="true">About us</span>');
  expect(html.match(/<a href="\/about-us" aria-current="page">About us<\/a>/g)).toHaveLength(2);
  expect(html).toContain('data-leave=""');
  expect(html).toContain('<footer');
});

test('on a translated page every link within the site leads to the same language', () => {
  const link = (href: string): Inline => ({ kind: 'link', href, inside: [text('x')] });
  const html = render(
    [{ kind: 'paragraph', inside: ['/', '/help', '/#support', '#x', 'tel:111'].map(link) }],
    '/mi',
  );
  const hrefs = [...(articleOf(html) ?? '').matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
  expect(hrefs).toEqual(['/mi', '/mi/help', '/mi#support', '#x', 'tel:111']);
  expect(html.match(/<a href="\/mi\/about-us" aria-current="page">/g)).toHaveLength(2);
});

test('a table has column headings, in a named region that a keyboard can scroll; a quotation is a blockquote', () => {
  const html = articleOf(
    render([
      {
        kind: 'table',
        head: [
          { inside: [] },
          { inside: [text('Day of {organisation}')] },
          { inside: [text('Cost')], align: 'right' },
        ],
        rows: [
          [{ inside: [text('1')] }, { inside: [text('Monday')] }, { inside: [text('free')], align: 'right' }],
        ],
      },
      { kind: 'quote', blocks: [{ kind: 'paragraph', inside: [text('said')] }] },
    ]),
  );
  expect(html).toBe(
    '<section class="table" aria-label="Day of Kōwhai Family Support Centre, Cost" tabindex="0"><table>' +
      '<thead><tr><td></td><th scope="col">Day of <span lang="mi">Kōwhai</span> Family Support Centre</th><th class="right" scope="col">Cost</th></tr></thead>' +
      '<tbody><tr><td>1</td><td>Monday</td><td class="right">free</td></tr></tbody></table></section>' +
      '<blockquote><p>said</p></blockquote>',
  );
});
