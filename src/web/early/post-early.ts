import { formId } from '../../model/no-script-fields.ts';

/**
 * True while a native submit is under way. A visitor may press Send before React starts, and again after. The second press
 * is then a native submit too: without a token the server recognises the same answers as the same request
 * (docs/decisions/0051).
 */
let posting = false;

// In the capture phase, before React's handler.
addEventListener('submit', (event) => posting && event.stopPropagation(), true);
addEventListener('submit', ({ target, defaultPrevented }) => {
  posting = (target as Element).id === formId && !defaultPrevented;
});
// A page restored from the back-forward cache starts again.
addEventListener('pagehide', () => {
  posting = false;
});
