import { blankPath, postedAttribute } from '../../model/page-data.ts';

/**
 * Takes every entry of this site out of the tab's history when it is left (docs/decisions/0110).
 *
 * The state of an entry is the number of this site's entries before it. To the next document that number travels in the
 * window's name: nothing is stored, and browsers empty the name on the way to another site.
 */

/** In the window's name: the exit traverses to an earlier document, which must leave too. */
const leavingMark = '-';
/** Enough for a step within the document, or to a document that the browser has cached. */
const stepWithinMs = 1_000;

export const root = document.documentElement;

/** The page answers a form: it shows what was typed, or that something was sent. */
export const isAnswer = root.hasAttribute(postedAttribute);

const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
export const isTraversal = visit?.type === 'back_forward';

/** Entries of this site may follow this one. */
let mayBeFollowed = visit?.type !== 'navigate';
let steps = 0;
/** This document has several entries. */
export const hasSteps = () => steps > 0;
let fallback: ReturnType<typeof setTimeout> | undefined;

/**
 * Chromium's back-forward cache gives a document back with the name it had. It lists the entries of this site, of which
 * the one that is being left then is blank.
 */
export const isLeaving = () =>
  window.name === leavingMark || window.navigation?.entries().some(({ url }) => url?.endsWith(blankPath));

const nameFor = (before: number) => before + location.pathname + history.length;

function noteEntry(): void {
  window.name = nameFor(history.state);
}

export function noteStep(): void {
  mayBeFollowed = true;
  steps++;
  // An address with another # was typed in by hand.
  if (history.state === null) history.replaceState(Number.parseInt(window.name, 10) + 1, '');
  noteEntry();
}

/** A browser lists an entry by the title it last had, and hears of a title only when that changes. */
function blankEntry(how: 'replaceState' | 'pushState', before: number): void {
  const { title } = document;
  history[how](before, '', blankPath);
  document.title = '';
  document.title = title;
}

/** To the first entry of this site, which becomes a blank one, and on by another entry, which cuts the way forward. */
export function leaveFor(address: string): void {
  clearTimeout(fallback);
  // Browsers drop the oldest entries of a long history.
  const before = Math.min(history.state, history.length - 1);
  if (before > 0 && canStep) {
    window.name = leavingMark;
    blankEntry('replaceState', before);
    history.go(-before);
    fallback = setTimeout(() => location.replace(address), stepWithinMs);
  } else {
    if (mayBeFollowed) {
      blankEntry('replaceState', 0);
      blankEntry('pushState', 1);
    }
    // Older browsers would let the other site read it.
    window.name = '';
    location.replace(address);
  }
}

export const leavesOnArrival = visit?.type !== 'navigate' && isLeaving();

// A page that was asked for from itself took its own place in the history: address and length are as before. Setting the
// state also takes what was posted out of the history, which would post it once more: on a reload, in a reopened tab,
// and where Chromium offers whoever came Back to send it again.
const carried = Number.parseInt(window.name, 10);
history.replaceState(history.state ?? ((window.name === nameFor(carried) ? carried : carried + 1) || 0), '');
noteEntry();

/**
 * Chromium gives an earlier document back with the name it had, and before it knew the Navigation API nothing tells that
 * document that it is being left. There only this entry is taken out of the history.
 */
const canStep = !!window.navigation || history.state === 0 || !('chrome' in window);
