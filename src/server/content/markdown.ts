import MarkdownIt, { type Token } from 'markdown-it';
import type { Block, Cell, Inline } from '../../model/own-page.ts';
import type { Mistake } from './yaml-mistakes.ts';

/**
 * Only these rules of Markdown apply. All other signs, such as HTML, are shown as they are written. Pictures are parsed
 * only so that they can be refused with a reason.
 */
const markdown = new MarkdownIt('zero').enable([
  'heading',
  'list',
  'blockquote',
  'table',
  'emphasis',
  'link',
  'autolink',
  'escape',
  'entity',
  'newline',
  'image',
]);
// The parser accepts every address, so that safeAddress can name the one that it refuses.
markdown.validateLink = () => true;

export interface Article {
  blocks: Block[];
  mistakes: Mistake[];
  /** The paths on this site that the text links to. */
  ownPaths: { path: string; line: number }[];
}

/** The sources of the blocks at the top level: paragraphs, headings, whole lists and tables. */
export function splitBlocks(text: string): string[] {
  const lines = text.split('\n');
  return markdown.parse(text, {}).flatMap(({ level, nesting, map }) =>
    level === 0 && nesting >= 0 && map
      ? lines
          .slice(...map)
          .join('\n')
          .trim()
      : [],
  );
}

/** @param linesBefore how many lines of the file come before the text. */
export function readArticle(text: string, linesBefore: number): Article {
  const article: Article = { blocks: [], mistakes: [], ownPaths: [] };
  const tokens = markdown.parse(text, {});
  const levels = [
    ...new Set(tokens.flatMap((token) => (token.type === 'heading_open' ? token.tag : []))),
  ].toSorted();
  /** The page's title is level 1, so the highest level of the text becomes 2, and no level is skipped. */
  const levelOf = (tag: string) => levels.indexOf(tag) + 2;

  /** The index of the next token. */
  let position = 0;
  function readBlocks(end: string): Block[] {
    const blocks: Block[] = [];
    for (let token = tokens[position++]; token && token.type !== end; token = tokens[position++]) {
      const block = readBlock(token);
      if (block) blocks.push(block);
    }
    return blocks;
  }

  function readBlock(token: Token): Block | null {
    if (token.type === 'heading_open')
      return { kind: 'heading', level: levelOf(token.tag), inside: readWords() };
    if (token.type === 'paragraph_open')
      return { kind: token.hidden ? 'words' : 'paragraph', inside: readWords() };
    if (token.type === 'blockquote_open') return { kind: 'quote', blocks: readBlocks('blockquote_close') };
    if (token.type === 'table_open') return readTable();
    if (token.type !== 'bullet_list_open' && token.type !== 'ordered_list_open') return null;
    const isOrdered = token.type === 'ordered_list_open';
    const items: Block[][] = [];
    const end = token.type.replace('open', 'close');
    while (tokens[position] && tokens[position]?.type !== end) {
      position++;
      items.push(readBlocks('list_item_close'));
    }
    position++;
    return { kind: 'list', start: isOrdered ? Number(token.attrGet('start') ?? 1) : null, items };
  }

  function readTable(): Block {
    const rows: Cell[][] = [];
    for (let token = tokens[position++]; token && token.type !== 'table_close'; token = tokens[position++]) {
      if (token.type === 'tr_open') rows.push(readRow(token.map));
    }
    const [head = [], ...others] = rows;
    return { kind: 'table', head, rows: others };
  }

  function readRow(map: Token['map']): Cell[] {
    const cells: Cell[] = [];
    for (let token = tokens[position++]; token && token.type !== 'tr_close'; token = tokens[position++]) {
      const align = /center|right/.exec(String(token.attrGet('style')))?.[0] as Cell['align'];
      cells.push({ inside: readWords(map), ...(align ? { align } : {}) });
    }
    return cells;
  }

  /** The words of a block. @param map the line of a table's row, because its cells have none. */
  function readWords(map?: Token['map']): Inline[] {
    const inline = tokens[position];
    position += 2;
    let line = ((inline?.map ?? map)?.[0] ?? 0) + 1 + linesBefore;
    const children = inline?.children ?? [];
    let next = 0;
    const readInside = (end: string): Inline[] => {
      const inside: Inline[] = [];
      for (let token = children[next++]; token && token.type !== end; token = children[next++]) {
        if (token.type === 'softbreak' || token.type === 'hardbreak') line++;
        inside.push(...readInline(token));
      }
      return inside;
    };
    const readInline = (token: Token): Inline[] => {
      const { type, content } = token;
      if (type === 'hardbreak') return [{ kind: 'break' }];
      if (type === 'softbreak') return [{ kind: 'text', text: ' ' }];
      if (type === 'em_open' || type === 'strong_open')
        return [
          { kind: type === 'em_open' ? 'em' : 'strong', inside: readInside(type.replace('open', 'close')) },
        ];
      if (type === 'link_open') return readLink(String(token.attrGet('href') ?? ''));
      if (type === 'image') article.mistakes.push({ line, message: noPictures });
      return content === '' ? [] : [{ kind: 'text', text: content }];
    };
    const readLink = (href: string): Inline[] => {
      const from = line;
      const inside = readInside('link_close');
      const address = safeAddress(href);
      if (address === null) {
        article.mistakes.push({ line: from, message: `the link “${href}” ${unsafe}` });
        return inside;
      }
      if (address.startsWith('/'))
        article.ownPaths.push({ path: address.split(/[?#]/)[0] ?? '', line: from });
      return [{ kind: 'link', href: address, inside }];
    };
    return readInside('');
  }

  article.blocks = readBlocks('');
  return article;
}

const noPictures =
  'has a picture in the text, where none is shown: name one at photo in the head of the page';
const unsafe =
  'leads where no link may lead: begin it with https://, with mailto: and an address, with tel: and a number, or with / and the name of a page';

/** Null for every address that is not known to be harmless. */
function safeAddress(href: string): string | null {
  if (/^\/(?![/\\])[\w/.?#=&~-]*$/.test(href)) return href;
  if (/^mailto:[^\s@?%]+@[\w-]+(\.[\w-]+)+$/i.test(href)) return href;
  if (/^tel:\+?[\d-]+$/i.test(href)) return href;
  if (!/^https:\/\//i.test(href) || !URL.canParse(href)) return null;
  const { protocol, username, password } = new URL(href);
  return protocol === 'https:' && !username && !password ? href : null;
}
