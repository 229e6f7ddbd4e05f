/** Inlined into every page, and run before anything is fetched. */
import { entryElementId, retryFolder } from '../../model/page-data.ts';
import { retryUntilLoaded } from './retry-import.ts';
import './post-early.ts';
import './leave-early.ts';
import './start-early.ts';
import './menu-early.ts';

/** A file that was reachable this often and still failed to load will not load. */
const mostTries = 8;

const retryStylesMs = 5_000;
let stylesTries = 0;

addEventListener(
  'error',
  ({ target }) => {
    // The client bundle failed to load.
    if (target instanceof HTMLScriptElement && target.id === entryElementId)
      void loadFromOtherUrl(target.src);
    // The rules of the home page, on a form. Without them that page can be read, so nothing waits for them.
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet' && stylesTries++ < mostTries)
      setTimeout(() => target.replaceWith(target.cloneNode()), retryStylesMs);
  },
  true,
);

/**
 * Firefox and WebKit never refetch a module URL that failed once, so each attempt has another URL: the same file in another
 * folder, with its imports beside it.
 */
async function loadFromOtherUrl(address: string): Promise<void> {
  for (let attempt = 1; attempt <= mostTries; attempt++) {
    await retryUntilLoaded(() => isThere(address));
    try {
      return await import(/* @vite-ignore */ address.replace(/(?=[^/]*$)/, retryFolder(attempt)));
    } catch (error) {
      // Any other error is thrown by the script itself, and would be thrown again.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

/** HEAD, because the content may fail to arrive once more. */
async function isThere(address: string): Promise<void> {
  const { ok } = await fetch(address, { method: 'HEAD' });
  if (!ok) throw new Error();
}
