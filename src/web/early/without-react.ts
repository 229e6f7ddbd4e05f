/**
 * What keeps the page standing when React lets go of it (docs/decisions/0055). It is started before React is, and needs
 * nothing of it.
 */

/** Where somebody is writing: noted all the time, because a field that was taken out of the page no longer knows. */
let lastFocus: Pick<HTMLInputElement, 'id' | 'name' | 'value' | 'selectionStart' | 'selectionEnd'> | null =
  null;

function noteFocus(): void {
  const { id, name, value, selectionStart, selectionEnd } = (document.activeElement ??
    {}) as HTMLInputElement;
  if (id || name) lastFocus = { id, name, value, selectionStart, selectionEnd };
}

export function trackFocus(): void {
  for (const type of ['focusin', 'input', 'selectionchange'])
    document.addEventListener(type, noteFocus, true);
  // The visitor may be in a field already.
  noteFocus();
}

/** Where the page was made anew under someone who was writing, they write on. */
export function restoreFocus(): void {
  if (!lastFocus || document.activeElement !== document.body) return;
  const { id, name, value, selectionStart, selectionEnd } = lastFocus;
  // A choice has no id of its own, but its name and value together are nobody else's.
  const choices = [...document.getElementsByName(name)] as HTMLInputElement[];
  const field =
    (document.getElementById(id) as HTMLInputElement | null) ?? choices.find((one) => one.value === value);
  if (!field) return;
  field.focus({ preventScroll: true });
  // A box to tick has no caret.
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd);
}

/**
 * What React says about a form while it runs, and nobody would keep true without it: as attributes, and as words. The
 * rest of the page is what the server would send.
 */
const attributes = ['inert', 'disabled', 'novalidate', 'open', 'aria-busy', 'aria-disabled', 'aria-invalid'];
const words = 'form [role=alert], form [role=status], [data-hint]';

/** From here on the browser runs the page by itself: links are links, and the form is posted. */
export function runWithoutReact(send: string): void {
  const each = (selector: string) => document.querySelectorAll(selector);
  for (const name of attributes) {
    for (const element of each(`[${name}]`)) element.removeAttribute(name);
  }
  for (const element of each(words)) element.textContent = '';
  for (const button of each('#form [type=submit]')) button.textContent = send;
}
