import { entryElementId, leaveElementId, type PageData, pageDataId } from '../../model/page-data.ts';
import { withTimeout } from '../with-timeout.ts';

/** A page in one language: its data, and the exit's words, which are outside of React's root. */
export interface LanguagePage {
  data: PageData;
  exitWords: string;
}

/** Enough for a page of 15 kB on a weak signal. */
const fetchMs = 20_000;

/** Those of model/escape-html.ts. */
const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/**
 * The page at another language's path. Read as text: Trusted Types forbid to parse it, and the content policy complains of
 * the styles in a page that XMLHttpRequest parses. In the page data every `<` is escaped.
 *
 * @returns null for a page of another version of this site, which this version's script cannot render.
 * @throws where no page of this language could be fetched.
 */
export async function fetchLanguage(path: string, prefix: string): Promise<LanguagePage | null> {
  const page = await withTimeout(fetchMs, async (signal) => (await fetch(path, { signal })).text());
  const find = (start: string, end: string) => page.split(start)[1]?.split(end)[0] ?? '';
  const data: PageData = JSON.parse(find(`id="${pageDataId}">`, '<'));
  // A language that is no longer offered leads to the original.
  if (data.language.prefix !== prefix) throw new Error('No such language');
  const script = document.getElementById(entryElementId)?.getAttribute('src') ?? ' ';
  const exitWords = find('data-words="', '"').replace(/&(.*?);/g, (_entity, name) => characters[name] ?? '');
  return page.includes(`src="${script}"`) ? { data, exitWords } : null;
}

/** `words` of the exit's element. */
export const exitData = () => (document.getElementById(leaveElementId) as HTMLElement).dataset;
