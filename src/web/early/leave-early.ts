import { leaveElementId } from '../../model/page-data.ts';
import { anythingTyped, forgetAnswers } from '../leave/forget.ts';
import {
  hasSteps,
  isAnswer,
  isLeaving,
  isTraversal,
  leaveFor,
  leavesOnArrival,
  noteStep,
  root,
} from '../leave/own-entries.ts';
import { afterPress, noPresses, type Press, pressesToLeave, pressWithinMs } from '../leave/shift-presses.ts';

/**
 * Leaving, and forgetting what was typed. It travels inside the page and runs before the rest has been fetched:
 * whoever is found out on a slow phone cannot wait for 60 kB (docs/decisions/0040).
 */

let presses = noPresses;
let expiry: ReturnType<typeof setTimeout> | undefined;
/** Nothing of the page is shown any more, now or when the browser shows it again. */
let covered = false;
/** Long enough for the other page to answer on a weak link; after it, the way there was lost. */
const leavesWithinMs = 15_000;
const longAgo = -leavesWithinMs;
/** When the way out was last begun, in the page's own time. */
let leftAt = longAgo;
/** Someone has used a key or a finger on this page. Words that stand in it before that are not from this visit. */
let touched = false;

const region = () => document.getElementById(leaveElementId) as HTMLElement;
/** By the number of presses; then what is said when the next did not come, the word on the cover and the address. */
const words = () => (region().dataset.words as string).split('\n');

/** Those who see are shown the count, as long as there is one. */
function say(index: number): void {
  region().textContent = words()[index] as string;
  region().classList.toggle('visually-hidden', index % pressesToLeave === 0);
}

function leave(): void {
  coverPage();
  forgetAnswers();
  // Whoever hammers the key would begin the way out anew each time, and never get away.
  const now = performance.now();
  if (now - leftAt < leavesWithinMs) return;
  leftAt = now;
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
  touched = true;
  // It stops a page that is on its way, and so the way out: the next three presses begin it again.
  if ((event as KeyboardEvent).key === 'Escape') leftAt = longAgo;
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

/** At another entry of this document, or at this one once more. */
function arrive(isOnTheWayOut: boolean | undefined): void {
  noteStep();
  leftAt = longAgo;
  if (isOnTheWayOut) leave();
}

/**
 * Firefox and WebKit give a document of several entries back with the state of the one it was left at. Only when it is
 * loaded anew does it know at which it is.
 */
function leaveRevived(): void {
  if (hasSteps()) {
    hide();
    location.reload();
  } else arrive(true);
}

/** Asked for anew, this address is the page that everybody gets. */
function startAgain(): void {
  hide();
  location.replace(location.pathname);
}

/** Browsers put back what stood in a form after Back, a reload or a crash. Nobody typed it on this visit. */
function forgetRestored(): void {
  if (!touched && !isAnswer && anythingTyped()) forgetAnswers();
}

for (const type of ['keydown', 'keyup', 'pointerdown']) addEventListener(type, onPress, true);
addEventListener('beforeinput', () => (touched = true), true);

addEventListener(
  'click',
  (event) => {
    if (!(event.target as Element).closest('[data-leave]')) return;
    // Also with Ctrl or Shift held: a second tab would leave this one open.
    event.preventDefault();
    leave();
  },
  true,
);

// A way down the page adds no step to the history: after the exit, Back would lead to this page by it.
addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="#"]');
  if (!link || event.defaultPrevented) return;
  event.preventDefault();
  const { state } = history;
  location.replace(link.href);
  history.replaceState(state, '');
});

// Firefox writes what differs from a field's default value to its session file, and brings it back after a crash or in
// a reopened tab. React keeps the two in step, but it may come late or never.
addEventListener(
  'input',
  ({ target }) => {
    if (target instanceof HTMLInputElement) target.defaultValue = target.value;
  },
  true,
);

// The page may be kept whole and shown again (the back-forward cache), so it is emptied before it is put away.
addEventListener('pagehide', () => {
  if (isAnswer) coverPage();
  forgetAnswers();
  touched = false;
});
addEventListener('pageshow', (event) => {
  if (event.persisted) {
    forgetAnswers();
    // What was left must not be seen again.
    if (covered) startAgain();
    else if (isLeaving()) leaveRevived();
    else arrive(false);
  } else forgetRestored();
});
addEventListener('DOMContentLoaded', () => {
  forgetRestored();
  setTimeout(forgetRestored);
});

addEventListener('popstate', (event) => {
  // React would show the page that this entry was.
  if (covered) event.stopImmediatePropagation();
  arrive(covered);
});

if (leavesOnArrival) {
  hide();
  addEventListener('DOMContentLoaded', leave);
}
// Back to an answer that was left: some browsers ask the server for it once more.
else if (isAnswer && isTraversal) startAgain();
