import { waitingScriptsId } from '../../model/page-data.ts';

/**
 * Starts the site's scripts once the page has been painted: before that, fetching and running them would only keep the
 * words back. Whoever does something sooner does not wait for that (docs/decisions/0086).
 */

/** From the page's first bytes on, where the browser never says that it has painted: some keep that from every site. */
const longestWaitMs = 2_000;

let due = false;

function startScripts(): void {
  due = true;
  // The template may have come in half. What is due then is done when the page is whole.
  if (document.readyState === 'loading') return;
  const waiting = document.getElementById(waitingScriptsId) as HTMLTemplateElement | null;
  // In its place, so that there is nothing left to start a second time.
  waiting?.replaceWith(document.importNode(waiting.content, true));
}

/** A tab in the background is not painted, and is to be ready when somebody looks. */
function startWhereDue(): void {
  if (due || document.hidden) startScripts();
}

addEventListener('DOMContentLoaded', startWhereDue);
document.addEventListener('visibilitychange', startWhereDue);
for (const type of ['pointerdown', 'keydown', 'focusin']) addEventListener(type, startScripts, true);
setTimeout(startScripts, longestWaitMs);

try {
  new PerformanceObserver((paints) => {
    // The first paint of all may be no more than the colour behind the words.
    if (paints.getEntriesByName('first-contentful-paint').length > 0) startScripts();
  }).observe({ type: 'paint', buffered: true });
} catch {
  // Some take even that away. The time set above starts them, and the rest of the page must not fail for it.
}
