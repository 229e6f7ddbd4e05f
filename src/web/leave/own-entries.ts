import { blankPath, postedAttribute } from '../../model/page-data.ts';

/**
 * Removes every entry of this site from the tab's history at the exit (docs/decisions/0110).
 *
 * The state of an entry is the number of this site's entries before it. `window.name` carries that number to the next
 * document: nothing is stored, and browsers clear the name on the way to another site.
 */

/** In `window.name`: the exit traverses to an earlier document, which must leave too. */
const leavingName = '-';
/** Enough time for `history.go` within this document, or to a document in the back-forward cache. */
const stepWithinMs = 1_000;

export const root = document.documentElement;

/** The page is the response to a posted form: it shows the answers or the receipt. */
export const isPostResponse = root.hasAttribute(postedAttribute);

const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
export const isTraversal = visit?.type === 'back_forward';

/** Entries of this site may follow this one. */
let mayBeFollowed = visit?.type !== 'navigate';
let steps = 0;
/** This document has several entries. */
export const hasSteps = () => steps > 0;
let fallback: ReturnType<typeof setTimeout> | undefined;

/**
 * Chromium's back-forward cache restores a document with its earlier name. There the Navigation API lists this site's
 * entries, and during the exit one of them is blank.
 */
export const isLeaving = () =>
  window.name === leavingName || window.navigation?.entries().some(({ url }) => url?.endsWith(blankPath));

const nameFor = (before: number) => before + location.pathname + history.length;

function noteEntry(): void {
  window.name = nameFor(history.state);
}

export function noteStep(): void {
  mayBeFollowed = true;
  steps++;
  // A null state: the visitor has edited the fragment in the address bar.
  if (history.state === null) history.replaceState(Number.parseInt(window.name, 10) + 1, '');
  noteEntry();
}

/** A browser lists an entry by its last title, and notices a title only when it changes. */
function blankEntry(how: 'replaceState' | 'pushState', before: number): void {
  const { title } = document;
  history[how](before, '', blankPath);
  document.title = '';
  document.title = title;
}

/** Goes to this site's first entry, blanks it, and leaves by one more entry, which deletes the forward entries. */
export function leaveFor(address: string): void {
  clearTimeout(fallback);
  // Browsers delete the oldest entries of a long history. While a document is being loaded, Firefox replaces the current
  // entry instead of adding one; its Navigation API knows the true number.
  const index = window.navigation?.currentEntry?.index ?? -1;
  const before = Math.min(history.state, index < 0 ? history.length - 1 : index);
  if (before > 0 && canStep) {
    window.name = leavingName;
    blankEntry('replaceState', before);
    history.go(-before);
    fallback = setTimeout(() => location.replace(address), stepWithinMs);
  } else {
    if (mayBeFollowed) {
      blankEntry('replaceState', 0);
      blankEntry('pushState', 1);
    }
    // Older browsers would let the other site read the name.
    window.name = '';
    location.replace(address);
  }
}

export const leavesOnArrival = visit?.type !== 'navigate' && isLeaving();

// After a reload the entry is the same: path and history length are as before. Setting the state also removes posted data
// from the entry, which browsers would post again: on a reload, in a reopened tab, and on Back in Chromium.
const carried = Number.parseInt(window.name, 10);
history.replaceState(history.state ?? ((window.name === nameFor(carried) ? carried : carried + 1) || 0), '');
noteEntry();

/**
 * Chromium restores an earlier document with its earlier name. Without the Navigation API nothing tells that document to
 * leave, so there the exit removes only the current entry.
 */
const canStep = !!window.navigation || history.state === 0 || !('chrome' in window);
