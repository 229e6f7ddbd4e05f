import { createContext, use, useSyncExternalStore } from 'react';
import { type PageLanguage, prefixOf } from '../../model/language.ts';
import { routes } from '../../model/routes.ts';
import { usePageData } from '../page-data-context.ts';

/** The path of the page as loaded: the only path that the server knows. */
export const FirstPathContext = createContext<string>(routes.home.path);

/** During the exit the path changes, and the covered page must not follow. */
export const isBeingLeft = () => document.documentElement.classList.contains('leaving');

let lastPath = '';
export function currentPath(): string {
  if (!isBeingLeft()) lastPath = location.pathname;
  return lastPath;
}

const pathChanged = 'popstate';

function listen(notify: () => void): () => void {
  addEventListener(pathChanged, notify);
  return () => removeEventListener(pathChanged, notify);
}

/** With the prefix of its language. */
export function useFullPath(): string {
  const first = use(FirstPathContext);
  return useSyncExternalStore(listen, currentPath, () => first);
}

export const withoutPrefix = (path: string, languages: readonly PageLanguage[]): string =>
  path.slice(prefixOf(path, languages).length) || routes.home.path;

/** Without the prefix of its language, which may not be the shown one yet. */
export function usePath(): string {
  const { language, languages = [] } = usePageData();
  return withoutPrefix(useFullPath(), [language, ...languages]);
}

/** A link to the current page scrolls to its top, and adds no history entry. */
export function goTo(path: string): void {
  if (path === currentPath()) scrollTo(0, 0);
  else move('pushState', path);
}

/** Adds no history entry, so that Back skips the replaced path; except during the exit, which has a path of its own. */
export function goInstead(path: string): void {
  if (!isBeingLeft()) move('replaceState', path);
}

/** The state of an entry is the number of this site's entries before it (leave/own-entries.ts). */
function move(how: 'pushState' | 'replaceState', path: string): void {
  history[how](how === 'pushState' ? history.state + 1 : history.state, '', path);
  // pushState and replaceState dispatch no event themselves.
  dispatchEvent(new Event(pathChanged));
}
