/** The page stays usable after React has unmounted it on an error (docs/decisions/0055). Uses nothing of React. */

/** The focused field and its selection. Tracked all the time, because a removed field has neither. */
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
  // A field may have the focus already.
  noteFocus();
}

/** After React has replaced the page, the visitor goes on typing in the same field. */
export function restoreFocus(): void {
  if (!lastFocus || document.activeElement !== document.body) return;
  const { id, name, value, selectionStart, selectionEnd } = lastFocus;
  // A choice has no id, but a unique pair of name and value.
  const choices = [...document.getElementsByName(name)] as HTMLInputElement[];
  const field =
    (document.getElementById(id) as HTMLInputElement | null) ?? choices.find((one) => one.value === value);
  if (!field) return;
  field.focus({ preventScroll: true });
  // A checkbox has no selection.
  if (selectionStart != null) field.setSelectionRange(selectionStart, selectionEnd);
}

/** Attributes and texts that only React updates. The rest of the page is as the server renders it. */
const attributes = ['inert', 'disabled', 'novalidate', 'aria-busy', 'aria-disabled', 'aria-invalid'];
const words = 'form [role=alert], form [role=status], [data-hint]';

/** From now on links load pages, and the form is submitted natively. */
export function runWithoutReact(send: string): void {
  const each = (selector: string) => document.querySelectorAll(selector);
  for (const name of attributes) {
    for (const element of each(`[${name}]`)) element.removeAttribute(name);
  }
  // The menu. A fold of the form stays as the visitor left it.
  for (const element of each('[open]')) if (!element.closest('form')) element.removeAttribute('open');
  for (const element of each(words)) element.textContent = '';
  for (const button of each('#form [type=submit]')) button.textContent = send;
}
