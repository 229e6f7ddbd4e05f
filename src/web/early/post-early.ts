import { formId } from '../../model/no-script-fields.ts';

/**
 * A form that the browser was posting by itself when React came is posted once more by a second press, and not sent by
 * the script beside it: without a token the server knows the same answers for the same request (docs/decisions/0051).
 */
let posting = false;

// Before React sees it.
addEventListener('submit', (event) => posting && event.stopPropagation(), true);
addEventListener('submit', ({ target, defaultPrevented }) => {
  posting = (target as Element).id === formId && !defaultPrevented;
});
// A page that comes back from the browser's cache starts anew.
addEventListener('pagehide', () => {
  posting = false;
});
