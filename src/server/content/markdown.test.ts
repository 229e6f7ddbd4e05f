import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Block, Cell, Inline } from '../../model/own-page.ts';
import { readArticle } from './markdown.ts';

/** As one reads it: kinds in brackets, words as they are. */
function show(blocks: Block[]): string {
  return blocks
    .map((block) => {
      if (block.kind === 'list')
        return `[${block.start ?? '•'} ${block.items.map((item) => show(item)).join(' | ')}]`;
      if (block.kind === 'quote') return `[quote ${show(block.blocks)}]`;
      if (block.kind === 'table')
        return `[table ${[block.head, ...block.rows].map((row) => row.map(showCell).join(' | ')).join(' / ')}]`;
      const inside = block.inside.map(showPart).join('');
      return block.kind === 'heading' ? `[h${block.level} ${inside}]` : inside;
    })
    .join('\n');
}
const showCell = ({ inside, align }: Cell): string =>
  inside.map(showPart).join('') + (align ? ` (${align})` : '');
function showPart(part: Inline): string {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'break') return '[break]';
  const inside = part.inside.map(showPart).join('');
  return part.kind === 'link' ? `[${part.href} ${inside}]` : `[${part.kind} ${inside}]`;
}
const shown = (text: string) => show(readArticle(text, 0).blocks);
const mistakes = (text: string, linesBefore = 0) =>
  readArticle(text, linesBefore).mistakes.map(({ line, message }) => `${line} ${message}`);

test('headings, lists, emphasis and links are read', () => {
  expect(shown('# One\n\nWords *and* **more**\nin two lines.\n\n## Two')).toBe(
    '[h2 One]\nWords [em and] [strong more] in two lines.\n[h3 Two]',
  );
  expect(shown('- a\n- b\n  1. c\n  2. d\n\n3. x\n4. y')).toBe('[• a | b\n[1 c | d]]\n[3 x | y]');
  expect(
    shown(
      '[Us](https://trust.example/x) or <mailto:us@trust.example>, [ring](tel:+64-4-000), [*ask*](/help)',
    ),
  ).toBe(
    '[https://trust.example/x Us] or [mailto:us@trust.example mailto:us@trust.example], [tel:+64-4-000 ring], [/help [em ask]]',
  );
});

test('the highest heading is one below the title, and no level is left out', () => {
  expect(shown('### One\n\n##### Two\n\n### Three')).toBe('[h2 One]\n[h3 Two]\n[h2 Three]');
});

test('tables and quotations are read, with what is inside them', () => {
  expect(shown('| Day | Cost |\n|:--|--:|\n| *Monday* | free |\n| Friday |\n\nMore')).toBe(
    '[table Day | Cost (right) / [em Monday] | free (right) / Friday |  (right)]\nMore',
  );
  expect(shown('Words\n\n| a |\n| :-: |\n| [us](/help) |')).toBe(
    'Words\n[table a (center) / [/help us] (center)]',
  );
  expect(shown('> # Said\n>\n> One\n> two\n>\n> - three\n>\n> > deeper')).toBe(
    '[quote [h2 Said]\nOne two\n[• three]\n[quote deeper]]',
  );
  expect(mistakes('> One\n>\n> [a](x)\n\n| b |\n|---|\n| c |\n| [d](y) |', 3)).toEqual([
    expect.stringMatching(/^6 the link “x”/),
    expect.stringMatching(/^11 the link “y”/),
  ]);
});

test('HTML, code, lines of dashes and a table without its line of dashes are shown as they are written', () => {
  for (const text of [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b>bold</b> word',
    '`code` and ~~gone~~',
    '| a | b |',
  ]) {
    expect(shown(text), text).toBe(text);
  }
  expect(shown('&lt;b&gt; &copy;')).toBe('<b> ©');
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java&#115;cript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'http://trust.example',
  '//elsewhere.example',
  '/\\elsewhere.example',
  'https://user:word@elsewhere.example',
  'https://',
  'about-us',
  'mailto:{email}',
  'mailto:us@trust.example?bcc=x@elsewhere.example',
  '#part',
])('a link to %s is a mistake with its line, and never a link', (href) => {
  const text = `Words\n\nand [a link](${href}) more`;
  expect(shown(text)).toBe('Words\nand a link more');
  expect(mistakes(text, 4)).toEqual([
    expect.stringMatching(/^7 the link “.*” leads where no link may lead: begin it with https:/),
  ]);
});

test('a picture in the third line of a paragraph is a mistake on that line', () => {
  expect(mistakes('One\ntwo  \n![three](https://elsewhere.example/x.png)\nfour [five](x)')).toEqual([
    '3 has a picture in the text, where none is shown: name one at photo in the head of the page',
    expect.stringMatching(/^4 the link “x” leads/),
  ]);
});

test('no text makes a link with another protocol, or to another host without https', () => {
  const signs = [...'[]()<>*_\\`/:\n !"x#-|'];
  const words = ['&#58;', 'javascript:', '//', '1. ', '\n|-|-|\n', '\n> '];
  const hrefs = (blocks: Block[]): string[] =>
    blocks.flatMap((block) =>
      block.kind === 'list'
        ? block.items.flatMap(hrefs)
        : block.kind === 'quote'
          ? hrefs(block.blocks)
          : block.kind === 'table'
            ? [block.head, ...block.rows].flat().flatMap(({ inside }) => inside.flatMap(hrefsOf))
            : block.inside.flatMap(hrefsOf),
    );
  const hrefsOf = (part: Inline): string[] =>
    part.kind === 'text' || part.kind === 'break'
      ? []
      : [...(part.kind === 'link' ? [part.href] : []), ...part.inside.flatMap(hrefsOf)];
  const bit = fc.constantFrom(...signs, ...words);
  const starts = ['', '/', '//', 'https://x.example', 'tel:111', 'mailto:x@x.example', 'javascript:'];
  const begin = fc.constantFrom(...starts);
  const link = fc
    .tuple(begin, fc.array(bit, { maxLength: 3 }))
    .map(([to, rest]) => `[x](${to}${rest.join('')})`);
  let found = 0;
  fc.assert(
    fc.property(fc.array(fc.oneof(bit, link), { maxLength: 60 }), (parts) => {
      for (const href of hrefs(readArticle(parts.join(''), 0).blocks)) {
        found++;
        const { protocol, host } = new URL(href, 'https://here.example');
        expect(['https:', 'mailto:', 'tel:']).toContain(protocol);
        if (href.startsWith('/')) expect(host).toBe('here.example');
      }
    }),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(0);
});
