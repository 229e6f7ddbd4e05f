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
