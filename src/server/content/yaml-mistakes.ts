import {
  type Document,
  isCollection,
  isScalar,
  type LineCounter,
  type Node,
  type ParsedNode,
  Scalar,
  visit,
  type YAMLError,
} from 'yaml';

/** A mistake, explained to a person who has never heard of YAML. */
export interface Mistake {
  line: number | null;
  message: string;
}

/** A document, its source, and where its lines begin. */
export interface ParsedYaml {
  document: Document.Parsed<ParsedNode>;
  source: string;
  lines: LineCounter;
}

const quotes = 'put quotes around all of it';
const begins = (sign: string) => `words that begin with ${sign} need quotes around them`;
const colonWithin = `has a colon in a sentence: ${quotes}`;
const startsWrong = 'begins in the wrong place: lines that belong together begin equally far from the left';
const tooFarRight = 'begins further right than the lines it belongs to: move it left, to stand under them';
const noComma = 'lacks something between its brackets: most likely a comma, or the bracket that closes them';
const foreignSpace =
  'has a space from a word processor or a web page: delete it, and type a space in its place';
const notUnderstood =
  'cannot be understood: a line is a word, a colon, a space and what it says; a sentence that goes on in the next line begins further right there';

/** Characters that no editor of plain text writes: the file is of another kind or encoding. */
export function findWrongLetter(source: string): Mistake | null {
  return findPattern(
    source,
    /[\0\uFFFD]/,
    'has a letter that cannot be read: save the file as plain text, in UTF-8',
  );
}

function findPattern(source: string, pattern: RegExp, message: string): Mistake | null {
  const offset = source.search(pattern);
  return offset < 0 ? null : { line: source.slice(0, offset).split('\n').length, message };
}

/** The first mistake, because most others only follow from it. */
export function findMistake(written: ParsedYaml): Mistake | null {
  const { document, source, lines } = written;
  const letter = findWrongLetter(source) ?? findPattern(source, /(?<=^ *)\u00A0/m, foreignSpace);
  if (letter) return letter;
  const [first] = document.errors;
  if (!first) return findLostWords(written);
  const explain = explanations[first.code] ?? notUnderstood;
  const explained = typeof explain === 'string' ? explain : explain(first, written);
  return typeof explained === 'string'
    ? { line: lineAt(lines, first.pos[0]), message: explained }
    : explained;
}

/** A string is the message for the line that the parser names. */
type Explain = (error: YAMLError, written: ParsedYaml) => Mistake | string;

const explanations: Partial<Record<YAMLError['code'], string | Explain>> = {
  TAB_AS_INDENT: 'begins with a tab: put spaces in its place, as in the lines around it',
  BAD_DQ_ESCAPE: 'has a \\ between double quotes, where it does not stand for itself: write \\\\',
  MULTIPLE_DOCS: 'is a line of --- within the file: take it out',
  BLOCK_IN_FLOW: noComma,
  BAD_ALIAS: ({ pos: [from] }, { source }) => begins(source.charAt(from)),
  BAD_SCALAR_START: ({ pos: [from] }, { source }) => begins(source.charAt(from)),

  DUPLICATE_KEY(error, written) {
    const word = /^[^\s:]*/.exec(written.source.slice(error.pos[0]))?.[0] ?? '';
    return `${word} is here for the second time: take one of the two out`;
  },

  BAD_INDENT(error, written) {
    const list = findAround(written, error.pos[0], isBracketed);
    if (list && isOpen(list, written)) return neverCloses(list, written);
    return findCutAbove(error, written) ?? startsWrong;
  },

  BLOCK_AS_IMPLICIT_KEY(error, written) {
    const [from] = error.pos;
    const text = written.source.slice(from).trimStart();
    if (text.startsWith('- ')) return startsWrong;
    if (text.startsWith('? ')) return begins('?');
    // The key spans several lines: all but the last of them are the value of the line before.
    const key = findAround(written, from, (node) => isScalar(node) && node.range?.[0] === from);
    const line = lineAt(written.lines, key?.range?.[1] ?? from);
    const word = lineOfText(written, line).trim().split(':')[0] ?? '';
    const isSetting = line > lineAt(written.lines, from) && !word.includes(' ');
    const message = isSetting ? tooFarRight : colonWithin;
    return { line, message };
  },

  MULTILINE_IMPLICIT_KEY: explainStrayLine,

  MISSING_CHAR(error, written) {
    const [from] = error.pos;
    const list = findAround(written, from, isBracketed);
    if (list && from < (list.range?.[1] ?? 0)) return noComma;
    const quoted = findAround(written, from, isQuoted);
    if (quoted && isOpen(quoted, written)) return neverCloses(quoted, written);
    return explainStrayLine(error, written);
  },

  UNEXPECTED_TOKEN(error, written) {
    const [from] = error.pos;
    const before = written.source.slice(0, from).trimEnd();
    if (/[>|][-+]?$/.test(before))
      return 'has words after the > or |: begin them in the next line, further right';
    if (written.source.startsWith('- ', from)) return begins('-');
    const line = lineOfText(written, lineAt(written.lines, from));
    const value = /^\s*(?:- )?(?:[^\s:]+:\s+)?(["'{[*&!])/.exec(line)?.[1];
    if (value === "'")
      return "has a ' within ' quotes, which ends them: put double quotes around all of it instead";
    if (value === '"') return `goes on after the closing ": ${quotes}, and write “ and ” for those within`;
    return value ? begins(value) : startsWrong;
  },
};

/** Explains a line that is neither a setting nor the rest of a sentence. */
function explainStrayLine(error: YAMLError, written: ParsedYaml): Mistake | string {
  const text = lineOfText(written, lineAt(written.lines, error.pos[0]));
  if (/^(<{7}|={7}|>{7})/.test(text))
    return 'is a mark that a program left between two versions of the text: keep one of the two, and delete the marks';
  if (text.includes('\u00A0')) return foreignSpace;
  if (/^\s*-[^\s-]/.test(text)) return 'has no space after the - at its beginning: add one';
  if (/^\s*(- )?\w+:\S/.test(text)) return 'has no space after the colon: add one';
  if (/^\s*\w+: /.test(text)) return startsWrong;
  return findCutAbove(error, written) ?? notUnderstood;
}

/** A # in a sentence of several lines cuts it off, so that the rest looks like a line of its own. */
function findCutAbove(error: YAMLError, written: ParsedYaml): Mistake | null {
  const line = lineAt(written.lines, error.pos[0]);
  const above = line - 1;
  if (line < 2 || !/\S\s+#/.test(lineOfText(written, above))) return null;
  return { line: above, message: `has a # in a sentence, and everything from there on is lost: ${quotes}` };
}

/** Signs that make the parser read words as something else, without an error: the words are missing on the page. */
function findLostWords({ document, source, lines }: ParsedYaml): Mistake | null {
  let found: Mistake | null = null;
  const aliases = new Set<string>();
  visit(document, { Alias: (_key, { source }) => void aliases.add(source) });
  const report = (offset: number | undefined, message: string) => {
    found ??= { line: offset === undefined ? null : lineAt(lines, offset), message };
  };
  visit(document, {
    Alias: (_key, alias) => (alias.resolve(document) ? undefined : report(alias.range?.[0], begins('*'))),
    Pair(_key, { key, value }) {
      // A colour without quotes is a comment to the parser, and the value of its key is empty.
      const offset = isScalar(key) ? key.range?.[0] : undefined;
      const rest = offset === undefined ? '' : lineOfText({ source, lines }, lineAt(lines, offset));
      if (isScalar(value) && value.value === null && /:\s+#([0-9a-f]{3}){1,2}\s*$/i.test(rest))
        report(
          offset,
          'has a colour without quotes, and from the # on everything is lost: colours need quotes, as in "#28425b"',
        );
      // A colon after a closing brace or quotation mark makes an empty key.
      if (isScalar(key) && key.value === null) report(key.range?.[0], colonWithin);
    },
    Scalar(_key, { anchor, tag, type, range }) {
      if (anchor !== undefined && !aliases.has(anchor)) report(range?.[0], begins('&'));
      if (tag !== undefined) report(range?.[0], begins('!'));
      // A list item that begins too far right is read as part of the sentence before.
      const dash = type === Scalar.PLAIN && range ? /\n *- /.exec(source.slice(range[0], range[1])) : null;
      if (dash && range) report(range[0] + dash.index + 1, tooFarRight);
    },
  });
  return found;
}

const closing: Record<string, string> = { '[': ']', '{': '}' };

function isOpen({ range }: Node, { source }: ParsedYaml): boolean {
  const [start = 0, end = 0] = range ?? [];
  const open = source.charAt(start);
  return end - start < 2 || source.charAt(end - 1) !== (closing[open] ?? open);
}

function neverCloses({ range }: Node, { source, lines }: ParsedYaml): Mistake {
  const start = range?.[0] ?? 0;
  const open = source.charAt(start);
  const what = closing[open] ? `a ${closing[open]}` : `another ${open}`;
  return {
    line: lineAt(lines, start),
    message: `opens with ${open} and never closes: put ${what} at its end`,
  };
}

const isQuoted = (node: Node): boolean =>
  isScalar(node) && (node.type === Scalar.QUOTE_DOUBLE || node.type === Scalar.QUOTE_SINGLE);

const isBracketed = (node: Node): boolean => isCollection(node) && node.flow === true;

/** The innermost matching node around an offset of the source. */
function findAround(
  { document }: ParsedYaml,
  offset: number,
  matches: (node: Node) => boolean,
): Node | undefined {
  let found: Node | undefined;
  visit(document, {
    Node(_key, node) {
      const [start, , end] = node.range ?? [0, 0, -1];
      if (start <= offset && offset <= end && matches(node)) found = node;
    },
  });
  return found;
}

const lineAt = (lines: LineCounter, offset: number): number => lines.linePos(offset).line;

function lineOfText({ source, lines }: Pick<ParsedYaml, 'source' | 'lines'>, line: number): string {
  const start = lines.lineStarts[line - 1] ?? 0;
  return source.slice(start).split(/\r?\n/, 1)[0] ?? '';
}
