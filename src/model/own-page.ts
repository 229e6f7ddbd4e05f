import type { Phrase } from './phrase.ts';

/** A page of the trust's own, as content/pages has it. */
export interface OwnPage {
  /** Its path without the slash. */
  name: string;
  title: Phrase;
  subtitle: Phrase;
  /** For search engines and link previews. */
  description: Phrase;
  /** Keywords of the header photo. */
  photo?: string | undefined;
  /** The label in the bar and the drawer; without one, the page is not linked there. */
  menuLabel?: Phrase | undefined;
  /** The same in the footer. */
  footerLabel?: Phrase | undefined;
  article: Block[];
}

/** All that a text can contain: no kind exists for markup, scripts or pictures of other sites. */
export type Block = {
  /** Where the block is not in the page's language. */
  lang?: string;
} & (
  | { kind: 'heading'; level: number; inside: Inline[] }
  | { kind: 'paragraph'; inside: Inline[] }
  /** The text of a list item without paragraphs. */
  | { kind: 'words'; inside: Inline[] }
  | { kind: 'list'; start: number | null; items: Block[][] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'table'; head: Cell[]; rows: Cell[][] }
);

export interface Cell {
  inside: Inline[];
  /** By default left. */
  align?: 'center' | 'right';
}

export type Inline =
  | { kind: 'text'; text: Phrase }
  | { kind: 'break' }
  | { kind: 'em' | 'strong'; inside: Inline[] }
  | { kind: 'link'; href: string; inside: Inline[] };

/** The product's own page about the exit and watched devices. Its address says no more than the name of a common subject. */
export const stayingSafePath = '/staying-safe-online';

/** A link in the bar and the drawer, or in the footer. */
export interface MenuLink {
  /** Without the prefix of a language. */
  path: string;
  label: Phrase;
}
