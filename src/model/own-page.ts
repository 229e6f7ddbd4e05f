import type { Phrase } from './phrase.ts';

/** A page of the trust's own, as content/pages has it. */
export interface OwnPage {
  /** Its address, without the slash. */
  name: string;
  title: Phrase;
  subtitle: Phrase;
  /** For search engines and link previews. */
  description: Phrase;
  /** Keywords of the header photo; none where it has none. */
  photo?: string | undefined;
  /** What the bar and the drawer call it; none where they do not lead to it. */
  menuLabel?: Phrase | undefined;
  article: Block[];
}

/**
 * All that a text can be made of. There is no kind for anything else, so that nothing else can come into a page: no
 * markup, no script, no picture from elsewhere.
 */
export type Block =
  | { kind: 'heading'; level: number; inside: Inline[] }
  | { kind: 'paragraph'; inside: Inline[] }
  /** The words of a list item that is no paragraph of its own. */
  | { kind: 'words'; inside: Inline[] }
  | { kind: 'list'; start: number | null; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'table'; head: Cell[]; rows: Cell[][] };

export interface Cell {
  inside: Inline[];
  /** Where its column is not set to the left. */
  align?: 'center' | 'right';
}

export type Inline =
  | { kind: 'text'; text: Phrase }
  | { kind: 'break' }
  | { kind: 'em' | 'strong'; inside: Inline[] }
  | { kind: 'link'; href: string; inside: Inline[] };

/** A way to one of these pages, in the bar and the drawer. */
export interface MenuLink {
  path: string;
  label: Phrase;
}
