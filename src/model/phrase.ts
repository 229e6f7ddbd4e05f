/**
 * A sentence as site.yaml writes it: `{organisation}` is filled in, and `{mi:Nau mai}` marks words of another
 * language, so that a screen reader says them in theirs (WCAG 3.1.2).
 */
export type Phrase = string;

export interface Span {
  text: string;
  /** A BCP 47 tag where the words are not in the page's language. */
  lang?: string;
}

const marked = /\{([a-z]{2,3}):([^{}]*)\}/g;
const placeholder = /\{([a-zA-Z]+)\}/g;

/** Fills the placeholders. One without a value stays as written, so that somebody notices. */
export function fill(phrase: Phrase, values: Readonly<Record<string, string | undefined>>): Phrase {
  return phrase.replace(placeholder, (whole, name: string) => values[name] ?? whole);
}

/** Words by their language. */
export type Glossary = Readonly<Record<string, readonly string[]>>;

export function spans(phrase: Phrase, glossary: Glossary = {}): Span[] {
  const found: Span[] = [];
  let end = 0;
  for (const match of phrase.matchAll(marked)) {
    found.push(...markWords(phrase.slice(end, match.index), glossary));
    found.push({ text: match[2] ?? '', lang: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  found.push(...markWords(phrase.slice(end), glossary));
  return found;
}

/** Marks the glossary's words in a text without marks of its own, such as a question. */
export function markWords(text: string, glossary: Glossary): Span[] {
  const found: Span[] = text ? [{ text }] : [];
  return Object.entries(glossary).reduce(
    (parts, [lang, known]) =>
      parts.flatMap((part) =>
        part.lang || known.length === 0 ? part : markLanguage(part.text, lang, known),
      ),
    found,
  );
}

function markLanguage(text: string, lang: string, known: readonly string[]): Span[] {
  const found: Span[] = [];
  let end = 0;
  for (const match of text.matchAll(anyOf(known))) {
    const [, before = '', word = ''] = match;
    const start = match.index + before.length;
    found.push({ text: text.slice(end, start) }, { text: word, lang });
    end = start + word.length;
  }
  found.push({ text: text.slice(end) });
  return found.filter((part) => part.text !== '');
}

const expressions = new WeakMap<readonly string[], RegExp>();

/**
 * Matches whole words, and no part of an email address. `\b` does not know macrons, and a lookbehind is a syntax error in
 * Safari before 16.4, which would leave the page empty. So the character before a word is matched too.
 * @param known letters, spaces, hyphens and apostrophes only.
 */
function anyOf(known: readonly string[]): RegExp {
  let expression = expressions.get(known);
  if (!expression) {
    expression = new RegExp(`(^|[^\\p{L}@.])(${known.join('|')})(?![\\p{L}@]|\\.\\p{L})`, 'giu');
    expressions.set(known, expression);
  }
  return expression;
}

/** Without language marks, for titles and mail subjects. */
export function asText(phrase: Phrase): string {
  return phrase.replace(marked, '$2');
}
