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

/** An address of the original, such as `/help`, in another language. @param prefix of that language. */
export function inLanguage(prefix: string, address: string): string {
  return prefix + (address.startsWith('/') && !/^\/[^?#]/.test(address) ? address.slice(1) : address) || '/';
}
