import { waitingScriptsId } from '../../model/page-data.ts';

/**
 * Loads the client bundle after the first paint, which it would otherwise delay. A visitor's key, tap or focus loads it
 * sooner (docs/decisions/0086).
 */

/** For browsers that do not report paints. */
const longestWaitMs = 2_000;

let due = false;

function startScripts(): void {
  due = true;
  // The template may be incomplete. DOMContentLoaded starts the scripts then.
  if (document.readyState === 'loading') return;
  const waiting = document.getElementById(waitingScriptsId) as HTMLTemplateElement | null;
  // Replaces the template, so that a second call finds nothing.
  waiting?.replaceWith(document.importNode(waiting.content, true));
}

/** A background tab is never painted, and should be ready when the visitor opens it. */
function startWhereDue(): void {
  if (due || document.hidden) startScripts();
}

addEventListener('DOMContentLoaded', startWhereDue);
document.addEventListener('visibilitychange', startWhereDue);
for (const type of ['pointerdown', 'keydown', 'focusin']) addEventListener(type, startScripts, true);
setTimeout(startScripts, longestWaitMs);

try {
  new PerformanceObserver((paints) => {
    // 'first-paint' may be the background colour alone.
    if (paints.getEntriesByName('first-contentful-paint').length > 0) startScripts();
  }).observe({ type: 'paint', buffered: true });
} catch {
  // No PerformanceObserver, or no 'paint' type: the timeout above starts the scripts.
}
