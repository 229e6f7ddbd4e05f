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

/** Fills the named places. One that has no value stays as it is written, so that it is seen and mended. */
export function fill(phrase: Phrase, values: Readonly<Record<string, string>>): Phrase {
  return phrase.replace(placeholder, (whole, name: string) => values[name] ?? whole);
}

export function spans(phrase: Phrase): Span[] {
  const found: Span[] = [];
  let end = 0;
  for (const match of phrase.matchAll(marked)) {
    if (match.index > end) found.push({ text: phrase.slice(end, match.index) });
    found.push({ text: match[2] ?? '', lang: match[1] ?? '' });
    end = match.index + match[0].length;
  }
  if (end < phrase.length) found.push({ text: phrase.slice(end) });
  return found;
}

/** The words alone, for titles, mail subjects and anywhere without markup. */
export function plain(phrase: Phrase): string {
  return phrase.replace(marked, '$2');
}
