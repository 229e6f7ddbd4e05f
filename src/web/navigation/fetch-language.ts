import { unescapeHtml } from '../../model/escape-html.ts';
import { entryElementId, leaveElementId, type PageData, pageDataId } from '../../model/page-data.ts';
import { withTimeout } from '../with-timeout.ts';

/** A page in one language: its data, and the exit's words, which are outside of React's root. */
export interface LanguagePage {
  data: PageData;
  exitWords: string;
}

/** Enough for a page of 15 kB on a weak signal. */
const fetchMs = 20_000;

/**
 * The page at another language's path. Not parsed as HTML, which Trusted Types forbid: in the page data every `<` is
 * escaped, and the exit's words are an attribute.
 *
 * @returns null for a page of another version of this site, which this version's script cannot render.
 * @throws where no page of this language could be fetched.
 */
export async function fetchLanguage(path: string, prefix: string): Promise<LanguagePage | null> {
  const html = await withTimeout(fetchMs, async (signal) => (await fetch(path, { signal })).text());
  const find = (start: string, end: string) => html.split(start)[1]?.split(end)[0] ?? '';
  const data: PageData = JSON.parse(find(`id="${pageDataId}">`, '<'));
  // A language that is no longer offered leads to the original.
  if (data.language.prefix !== prefix) throw new Error(`${path} is in another language`);
  const script = document.getElementById(entryElementId)?.getAttribute('src');
  if (!script || !html.includes(script)) return null;
  return { data, exitWords: unescapeHtml(find('data-words="', '"')) };
}

export const exitRegion = () => document.getElementById(leaveElementId) as HTMLElement;
