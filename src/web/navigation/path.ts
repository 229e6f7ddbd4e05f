import { createContext, useContext, useSyncExternalStore } from 'react';
import { type PageName, routes } from '../../model/routes.ts';

/** The path of the page as loaded: the only path that the server knows. */
export const FirstPathContext = createContext<string>(routes.home.path);

/** During the exit the path changes, and the covered page must not follow. */
export const isBeingLeft = () => document.documentElement.classList.contains('leaving');

let lastPath = '';
function currentPath(): string {
  if (!isBeingLeft()) lastPath = location.pathname;
  return lastPath;
}

const pathChanged = 'popstate';

function listen(notify: () => void): () => void {
  addEventListener(pathChanged, notify);
  return () => removeEventListener(pathChanged, notify);
}

export function usePath(): string {
  const first = useContext(FirstPathContext);
  return useSyncExternalStore(listen, currentPath, () => first);
}

/** A link to the current page scrolls to its top, and adds no history entry. */
export function goTo(page: PageName): void {
  const { path } = routes[page];
  if (path === currentPath()) scrollTo(0, 0);
  else move('pushState', path);
}

/** Replaces an unknown path, so that Back skips it; except during the exit, which has a path of its own. */
export function goHomeInstead(): void {
  if (!isBeingLeft()) move('replaceState', routes.home.path);
}

/** The state of an entry is the number of this site's entries before it (leave/own-entries.ts). */
function move(how: 'pushState' | 'replaceState', path: string): void {
  history[how](how === 'pushState' ? history.state + 1 : history.state, '', path);
  // pushState and replaceState dispatch no event themselves.
  dispatchEvent(new Event(pathChanged));
}
