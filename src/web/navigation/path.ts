import { createContext, useContext, useSyncExternalStore } from 'react';
import { type PageName, routes } from '../../model/routes.ts';

/** The address that the page came with, which is all a page that is made on the server knows. */
export const FirstPathContext = createContext<string>(routes.home.path);

/** On the way out of the site the address changes, and the page behind the cover must not follow it. */
export const isBeingLeft = () => document.documentElement.classList.contains('leaving');

let lastPath = '';
function here(): string {
  if (!isBeingLeft()) lastPath = location.pathname;
  return lastPath;
}

const told = 'popstate';

function listen(tell: () => void): () => void {
  addEventListener(told, tell);
  return () => removeEventListener(told, tell);
}

export function usePath(): string {
  const first = useContext(FirstPathContext);
  return useSyncExternalStore(listen, here, () => first);
}

/** Choosing the page one is on goes to its top, and adds nothing to the history. */
export function goTo(page: PageName): void {
  const { path } = routes[page];
  if (path === here()) scrollTo(0, 0);
  else move('pushState', path);
}

/** An address that leads nowhere is home, and Back does not come by it again. The exit's own leads away. */
export function goHomeInstead(): void {
  if (!isBeingLeft()) move('replaceState', routes.home.path);
}

/** The state is the number of this site's entries before this one (leave/own-entries.ts). */
function move(how: 'pushState' | 'replaceState', path: string): void {
  history[how](how === 'pushState' ? history.state + 1 : history.state, '', path);
  // Only Back and Forward tell of themselves.
  dispatchEvent(new Event(told));
}
