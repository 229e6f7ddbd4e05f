/** A language in which the pages can be read. */
export interface PageLanguage {
  /** BCP 47. */
  tag: string;
  /** The language's own name for itself. */
  name: string;
  /** Only where the script is not written from left to right. */
  dir?: 'rtl';
  /** The beginning of the path of each page; '' for the original, in which the trust wrote its content. */
  prefix: string;
}

/** An address of the original, such as `/help`, in another language. Addresses of other sites stay as they are. */
export function inLanguage(prefix: string, address: string): string {
  if (!address.startsWith('/')) return address;
  // The home page of a translation has no slash at its end.
  return (prefix + address).replace(/(.)\/(?=$|[?#])/, '$1');
}

/** The prefix of the language that a path belongs to. */
export function prefixOf(path: string, languages: readonly PageLanguage[]): string {
  const language = languages.find(({ prefix }) => prefix && `${path}/`.startsWith(`${prefix}/`));
  return language?.prefix ?? '';
}
