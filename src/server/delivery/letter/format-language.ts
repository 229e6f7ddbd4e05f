import { onOneLine } from './printable.ts';

let names: Intl.DisplayNames | undefined;

/** The English name of a language, 'Samoan'; its tag where there is none. */
export function nameLanguage(tag: string): string {
  // Intl throws where a tag has a private part, as en-NZ-x-easy has.
  const [publicPart = '', privatePart] = tag.split('-x-');
  try {
    names ??= new Intl.DisplayNames('en-NZ', { type: 'language' });
    const name = names.of(publicPart) ?? publicPart;
    return privatePart ? `${name}, ${onOneLine(privatePart).replaceAll('-', ' ')}` : name;
  } catch {
    // An old browser does not know Intl.DisplayNames.
    return onOneLine(tag);
  }
}

/** 'Samoan (sm)', for staff who look for a translator. */
export function formatLanguage(tag: string): string {
  const [name, written] = [nameLanguage(tag), onOneLine(tag)];
  return name === written ? written : `${name} (${written})`;
}
