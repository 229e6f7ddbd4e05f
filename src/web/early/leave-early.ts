import { leaveElementId } from '../../model/page-data.ts';
import { anythingTyped, forgetAnswers } from '../leave/forget.ts';
import {
  hasSteps,
  isLeaving,
  isPostResponse,
  isTraversal,
  leaveFor,
  leavesOnArrival,
  noteStep,
  root,
} from '../leave/own-entries.ts';
import { afterPress, noPresses, type Press, pressesToLeave, pressWithinMs } from '../leave/shift-presses.ts';

/**
 * The quick exit, and emptying the fields. Inlined into the page, because a visitor in danger with a slow phone cannot wait
 * for 60 kB of script (docs/decisions/0040).
 */

let presses = noPresses;
let expiry: ReturnType<typeof setTimeout> | undefined;
/** The page is hidden, and stays hidden when the browser shows it again. */
let covered = false;
/** Enough for the neutral page to load on a weak connection. After that, a further press starts the exit again. */
const exitWithinMs = 15_000;
const longAgo = -exitWithinMs;
/** When the exit was last started, in the time of `performance.now()`. */
let exitStartedAt = longAgo;
/** The visitor has used a key or a pointer. Values in the fields before that are not from this visit. */
let hasInteracted = false;

const region = () => document.getElementById(leaveElementId) as HTMLElement;
/** By number of presses (0, 1, 2); 3 is the text after a timeout, 4 the word on the cover, 5 the exit's URL. */
const words = () => (region().dataset.words as string).split('\n');

/** Announced, and visible while presses count. */
function say(index: number): void {
  region().textContent = words()[index] as string;
  region().classList.toggle('visually-hidden', index % pressesToLeave === 0);
}

function leave(): void {
  coverPage();
  forgetAnswers();
  // Each start cancels the one before: somebody who presses on and on would never get away.
  const now = performance.now();
  if (now - exitStartedAt < exitWithinMs) return;
  exitStartedAt = now;
  leaveFor(words()[5] as string);
}

function hide(): void {
  root.classList.add('leaving');
  document.title = '…';
}

function coverPage(): void {
  if (covered) return;
  covered = true;
  const cover = document.createElement('p');
  cover.setAttribute('role', 'alert');
  hide();
  cover.textContent = document.title = words()[4] as string;
  document.body.append(cover);
}

function onPress(event: Event): void {
  hasInteracted = true;
  // Escape cancels a navigation, and so the exit: the next three presses start it again.
  if ((event as KeyboardEvent).key === 'Escape') exitStartedAt = longAgo;
  const before = presses.count;
  presses = afterPress(presses, event as unknown as Press);
  const { count } = presses;
  if (count === before) return;
  clearTimeout(expiry);
  if (count >= pressesToLeave) {
    presses = noPresses;
    leave();
  } else {
    say(count);
    if (count > 0)
      expiry = setTimeout(() => {
        presses = noPresses;
        say(pressesToLeave);
      }, pressWithinMs);
  }
}

/** Called at another history entry of this document, or when this document is shown again. */
function arrive(isOnTheWayOut: boolean | undefined): void {
  noteStep();
  exitStartedAt = longAgo;
  if (isOnTheWayOut) leave();
}

/**
 * Firefox and WebKit restore a document with several entries with the state of the entry it was left at. Only a reload
 * tells which entry this is.
 */
function leaveRestored(): void {
  if (hasSteps()) {
    hide();
    location.reload();
  } else arrive(true);
}

/** A GET of this path is the page without anybody's answers. */
function loadEmptyPage(): void {
  hide();
  location.replace(location.pathname);
}

/** Browsers restore form values after Back, a reload or a crash. The values are not from this visit. */
function forgetRestored(): void {
  if (!hasInteracted && !isPostResponse && anythingTyped()) forgetAnswers();
}

for (const type of ['keydown', 'keyup', 'pointerdown']) addEventListener(type, onPress, true);
addEventListener('beforeinput', () => (hasInteracted = true), true);

addEventListener(
  'click',
  (event) => {
    if (!(event.target as Element).closest('[data-leave]')) return;
    // Also with Ctrl or Shift: opening a second tab would leave this one open.
    event.preventDefault();
    leave();
  },
  true,
);

// A fragment link adds no history entry: after the exit, Back would lead to this page.
addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
  if (!link || event.defaultPrevented) return;
  event.preventDefault();
  const { state } = history;
  location.replace(link.href);
  history.replaceState(state, '');
});

// Firefox writes a value that differs from the field's default value to its session file, and restores it after a crash
// or in a reopened tab. React sets both, but may start late or never.
addEventListener(
  'input',
  ({ target }) => {
    if (target instanceof HTMLInputElement) target.defaultValue = target.value;
  },
  true,
);

// The page may enter the back-forward cache and be shown again, so it is emptied first.
addEventListener('pagehide', () => {
  if (isPostResponse) coverPage();
  forgetAnswers();
  hasInteracted = false;
});
addEventListener('pageshow', (event) => {
  if (event.persisted) {
    forgetAnswers();
    // A page that was left by the exit must not be seen again.
    if (covered) loadEmptyPage();
    else if (isLeaving()) leaveRestored();
    else arrive(false);
  } else forgetRestored();
});
addEventListener('DOMContentLoaded', () => {
  forgetRestored();
  setTimeout(forgetRestored);
});

addEventListener('popstate', (event) => {
  // React would render the page of this entry.
  if (covered) event.stopImmediatePropagation();
  arrive(covered);
});

if (leavesOnArrival) {
  hide();
  addEventListener('DOMContentLoaded', leave);
}
// After Back to the response to a posted form, some browsers request the page from the server again.
else if (isPostResponse && isTraversal) loadEmptyPage();
