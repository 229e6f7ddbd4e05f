/** What travels inside the page and runs before anything is fetched. */
import { againFolder, entryElementId } from '../../model/page-data.ts';
import { retryUntilLoaded } from './retry-import.ts';
import './post-early.ts';
import './leave-early.ts';
import './start-early.ts';
import './menu-early.ts';

/** A file that comes whole this often and does not start will not start. */
const mostTries = 8;

addEventListener(
  'error',
  ({ target }) => {
    // The site's own script was lost on the way.
    if (target instanceof HTMLScriptElement && target.id === entryElementId) void startAgain(target.src);
  },
  true,
);

/**
 * Firefox and WebKit never again ask for a module that they once failed to get, so each try has another address: the same
 * file in another folder, where what it imports is beside it.
 */
async function startAgain(address: string): Promise<void> {
  for (let again = 1; again <= mostTries; again++) {
    await retryUntilLoaded(() => isThere(address));
    try {
      return await import(/* @vite-ignore */ address.replace(/(?=[^/]*$)/, againFolder(again)));
    } catch (error) {
      // Of any other kind it is the script's own, and will be the same the next time.
      if (!(error instanceof TypeError)) throw error;
    }
  }
}

/** Without its content, which may be lost once more. */
async function isThere(address: string): Promise<void> {
  const { ok, status } = await fetch(address, { method: 'HEAD' });
  if (!ok) throw new Error(`${address} was answered with ${status}`);
}
