/**
 * What a minified style sheet uses that Chrome 87, Firefox 100 or Safari 15.4 does not know, each once. There a
 * declaration, a rule or an at-rule is left out whole, so that what is newer may only ever add something.
 */
export function tooNewInStyles(css: string): string[] {
  const found = new Set<string>();
  for (const [, before = '', block = ''] of css.matchAll(/([^{};]*)\{(?=([^{}]*))/g)) {
    for (const what of [...newInPrelude(before.trim()), ...newInBlock(block)]) found.add(what);
  }
  return [...found].toSorted();
}

/** Their first versions: Chrome 111 and so on; every one is younger than one of the three. */
const selectors =
  /::?(view-transition[a-z-]*|details-content|has|is|where|modal|popover-open|user-(?:in)?valid|dir)\b/g;
const atRules = /^@(layer|container|property|starting-style|scope|position-try)\b/;

function* newInPrelude(prelude: string): Generator<string> {
  if (prelude.startsWith('@')) {
    const atRule = atRules.exec(prelude)?.[1];
    if (atRule) yield `@${atRule}`;
    // Safari 16.4, Chrome 104.
    if (/^@media.*[<>]/.test(prelude)) yield 'a range in a media query';
    return;
  }
  if (prelude.includes('&')) yield 'nesting';
  const names = [...new Set([...prelude.matchAll(selectors)].map(([whole]) => whole))];
  yield* names;
  // One that is not known takes the others of its list along.
  if (names.length > 0 && !listOf(prelude).every((one) => names.some((name) => one.includes(name))))
    yield `${names.join(', ')} beside other selectors`;
}

/** By the commas that stand in no brackets. */
function listOf(prelude: string): string[] {
  const list: string[] = [];
  for (const part of prelude.split(',')) {
    const last = list.at(-1) ?? '';
    const isOpen = last.split('(').length > last.split(')').length;
    if (isOpen) list[list.length - 1] = `${last},${part}`;
    else list.push(part);
  }
  return list;
}

const properties = [
  'accent-color',
  'aspect-ratio',
  'border-end-end-radius',
  'border-end-start-radius',
  'border-start-end-radius',
  'border-start-start-radius',
  'content-visibility',
  'field-sizing',
  'interpolate-size',
  'rotate',
  'scale',
  'text-wrap',
  'text-wrap-style',
  'translate',
  'view-transition-name',
];

/** Each takes its whole declaration along. */
const values: Record<string, RegExp> = {
  'allow-discrete': /\ballow-discrete\b/,
  'color-mix': /\bcolor-mix\(/,
  'light-dark': /\blight-dark\(/,
  'a newer colour space': /\b(oklch|oklab|lch|lab|color)\(/,
  'a dynamic height': /\d(d|s|l)v(h|w|b|i|min|max)\b/,
  'words for a mark': /^content:.*\//,
  subgrid: /\bsubgrid\b/,
};

function* newInBlock(block: string): Generator<string> {
  const before = new Set<string>();
  for (const declaration of block.split(';')) {
    const property = declaration.split(':')[0] ?? '';
    if (properties.includes(property)) yield property;
    for (const [what, pattern] of Object.entries(values)) {
      // What stands before it in the same rule is what these browsers then use.
      if (pattern.test(declaration) && !before.has(property)) yield `${what} for ${property}`;
    }
    before.add(property);
  }
}
