import { waitingScriptsId } from '../../model/page-data.ts';

/** Inlined into the home page, ahead of what every page has. Over a slow connection that page is its words. */

const { saveData, effectiveType, downlink } =
  (navigator as { connection?: { saveData: boolean; effectiveType: string; downlink: number } }).connection ??
  (0 as unknown as Record<string, undefined>);

// The visitor asked to save data, or has 2G (megabits).
if (saveData || /2g/.test(effectiveType as string) || (downlink as number) < 0.1)
  new MutationObserver(() => {
    // Without an address a fetch that has begun is cancelled.
    for (const img of document.querySelectorAll<HTMLImageElement>('[data-page=home] img')) {
      img.src = img.srcset = '';
      (img.parentElement as Element).textContent = '';
    }
    // The links, the menu and the exit need no bundle.
    if (!document.getElementById('shielded-button')) document.getElementById(waitingScriptsId)?.remove();
  }).observe(document, { childList: true, subtree: true });
