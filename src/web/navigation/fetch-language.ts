import {
  entryElementId,
  leaveElementId,
  type PageData,
  pageDataId,
  waitingScriptsId,
} from '../../model/page-data.ts';

/** A page in one language: its data, and the exit's words, which are outside of React's root. */
export interface LanguagePage {
  data: PageData;
  exitWords: string;
}

/** Enough for a page of 15 kB on a weak signal. */
const fetchMs = 20_000;

/**
 * The page at another language's path. With XMLHttpRequest, which parses the page: Trusted Types forbid to parse a text.
 *
 * @returns null for a page of another version of this site, which this version's script cannot render.
 * @throws where no page of this language could be fetched.
 */
export async function fetchLanguage(path: string, prefix: string): Promise<LanguagePage | null> {
  const request = new XMLHttpRequest();
  request.open('GET', path);
  request.responseType = 'document';
  request.timeout = fetchMs;
  const ended = new Promise((resolve) => request.addEventListener('loadend', resolve));
  request.send();
  await ended;
  const page: Document = request.response;
  const data = readPageData(page);
  // A language that is no longer offered leads to the original.
  if (data.language.prefix !== prefix) throw new Error(`${path} is in another language`);
  const script = document.getElementById(entryElementId)?.getAttribute('src') ?? ' ';
  return page.getElementById(waitingScriptsId)?.innerHTML.includes(script)
    ? { data, exitWords: exitWordsOf(page).words ?? '' }
    : null;
}

export const readPageData = (page: Document): PageData =>
  JSON.parse(page.getElementById(pageDataId)?.textContent ?? '');

export const exitWordsOf = (page: Document) => (page.getElementById(leaveElementId) as HTMLElement).dataset;
