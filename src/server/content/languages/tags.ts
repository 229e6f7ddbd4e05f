import type { PageLanguage } from '../../../model/language.ts';

/** The scripts that are written from right to left. */
const rightToLeft = ['Adlm', 'Arab', 'Hebr', 'Nkoo', 'Rohg', 'Syrc', 'Thaa'];

/** Whether this is how BCP 47 writes the tag: `mi`, `zh-Hans`, `en-NZ-x-easy`. */
export function isCanonicalTag(tag: string): boolean {
  try {
    // Four letters and more are reserved, and no language has them.
    return /^[a-z]{2,3}(-|$)/.test(tag) && Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

export function pageLanguage(tag: string, name: string): PageLanguage {
  const { script = '' } = new Intl.Locale(tag).maximize();
  const dir = rightToLeft.includes(script) ? ({ dir: 'rtl' } as const) : {};
  return { tag, name, ...dir, prefix: `/${tag.toLowerCase()}` };
}

/** What the language calls itself, with a capital letter; '' where Intl does not know. */
export function ownNameOf(tag: string): string {
  if (Intl.DisplayNames.supportedLocalesOf(tag).length === 0) return '';
  const name = languageName(tag, tag);
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

/** '' for a tag that Intl does not know, such as one for private use. @param locale the language of the name. */
export function languageName(tag: string, locale: string): string {
  try {
    return new Intl.DisplayNames(locale, { type: 'language', fallback: 'none' }).of(tag) ?? '';
  } catch {
    return '';
  }
}
