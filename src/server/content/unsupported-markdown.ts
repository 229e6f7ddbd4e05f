import MarkdownIt, { type Token } from 'markdown-it';
import type { Mistake } from './yaml-mistakes.ts';

/** Markdown that own pages do not support. Visitors see its signs as they are written, which is never meant. */

/** Parses with all rules of Markdown, to find uses of unsupported ones. */
const fullMarkdown = new MarkdownIt({ html: true });

const shown = 'which is shown as it is written';
const kinds: Readonly<Record<string, string>> = {
  fence: `has a block of code (\`\`\`), ${shown}: take the signs away`,
  code_block: `begins four spaces or more to the right, and stands there as any other text: move it left`,
  code_inline: `has code between \` signs, ${shown}: take them away, or write **strong words**`,
  html_block: `has HTML, ${shown}: take it away`,
  html_inline: `has HTML, ${shown}: take it away`,
  s_open: `has words crossed out with ~~, ${shown}: take the signs away`,
  hr: `has a line across the page, ${shown}: take it away, or begin a part with # and its heading`,
};
const underlined = `has a line of = or - under it, ${shown}: for a heading, write # and a space before it`;
const reference = `has a link whose address stands elsewhere, ${shown}: write [words](https://…)`;
const noTable = `has columns with | and is no table: the line below its first must be | --- | --- |`;

/** One note for each kind and line. @param linesBefore how many lines of the file come before the text. */
export function findUnsupported(text: string, linesBefore: number): Mistake[] {
  const environment: Parameters<typeof fullMarkdown.parse>[1] = {};
  const tokens = fullMarkdown.parse(text, environment);
  const lines = text.split('\n');
  const notes = tokens.flatMap((token) => findIn(token, token.map?.[0] ?? 0));
  if (environment?.references) {
    const at = lines.findIndex((line) => /^ {0,3}\[[^\]]+\]:/.test(line));
    notes.push({ at: Math.max(at, 0), message: reference });
  }
  const seen = new Set<string>();
  return notes
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, message }) => ({ line: at + 1 + linesBefore, message }))
    .filter(({ line, message }) => !seen.has(`${line} ${message}`) && seen.add(`${line} ${message}`));
}

interface Note {
  /** The line within the text, counted from 0. */
  at: number;
  message: string;
}

function findIn(token: Token, at: number): Note[] {
  if (token.type === 'heading_open' && /[=-]/.test(token.markup)) return [{ at, message: underlined }];
  const message = kinds[token.type];
  if (message) return [{ at, message }];
  if (token.type !== 'inline') return [];
  let line = at;
  const found: Note[] = [];
  // A table without its line of dashes is a paragraph to the parser.
  if (/^\|.*\|\s*$/m.test(token.content)) found.push({ at, message: noTable });
  for (const child of token.children ?? []) {
    if (child.type === 'softbreak' || child.type === 'hardbreak') line++;
    found.push(...findIn(child, line));
  }
  return found;
}
