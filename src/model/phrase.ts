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

/** A placeholder, the beginning of a mark, or the end of one. */
const braces = /(\{[a-zA-Z]+\}|\{[a-z]{2,3}(?:-\w+)*:|\})/;
const placeholder = /\{([a-zA-Z]+)\}/g;

/** Fills the placeholders. One without a value stays as written, so that somebody notices. */
export function fill(phrase: Phrase, values: Readonly<Record<string, string | undefined>>): Phrase {
  return phrase.replace(placeholder, (whole, name: string) => values[name] ?? whole);
}

/** Words by their language. */
export type Glossary = Readonly<Record<string, readonly string[]>>;

/** Marks may be nested: a whole sentence of the original on a translated page may have words of a third language in it. */
export function spans(phrase: Phrase, glossary: Glossary = {}): Span[] {
  const found: Span[] = [];
  const langs: string[] = [];
  for (const part of phrase.split(braces)) {
    const [lang] = langs.slice(-1);
    if (part.startsWith('{') && part.endsWith(':')) langs.push(part.slice(1, -1));
    else if (part === '}' && lang) langs.pop();
    else found.push(...markWords(part, glossary, lang));
  }
  return found;
}

/**
 * Marks the glossary's words in a text without marks of its own, such as a question.
 *
 * @param within the language of the text, where it is not the page's.
 */
export function markWords(text: string, glossary: Glossary, within?: string): Span[] {
  const whole: Span[] = text ? [{ text }] : [];
  const found = Object.entries(glossary).reduce(
    (parts, [lang, known]) =>
      parts.flatMap((part) =>
        part.lang || known.length === 0 || lang === within ? part : markLanguage(part.text, lang, known),
      ),
    whole,
  );
  return within ? found.map((part) => ({ lang: within, ...part })) : found;
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
  return spans(phrase)
    .map(({ text }) => text)
    .join('');
}
