import { remadeEvent, standWithoutReact } from './stand.ts';

/**
 * What keeps the page standing when React lets go of it (docs/decisions/0055). It travels inside the page, because it is
 * for the day on which something of what is fetched does not work.
 */

/** Where somebody is writing: noted all the time, because a field that was taken out of the page no longer knows. */
let place: Pick<HTMLInputElement, 'id' | 'name' | 'value' | 'selectionStart' | 'selectionEnd'> | null = null;

function notePlace(): void {
  const { id, name, value, selectionStart, selectionEnd } = (document.activeElement ??
    {}) as HTMLInputElement;
  if (id || name) place = { id, name, value, selectionStart, selectionEnd };
}

/** Where the page was made anew under someone who was writing, they write on. */
function giveFocusBack(): void {
  if (!place || document.activeElement !== document.body) return;
  const { id, name, value, selectionStart, selectionEnd } = place;
  // A choice has no id of its own, but its name and value together are nobody else's.
  const choices = [...document.getElementsByName(name)] as HTMLInputElement[];
  const field =
    (document.getElementById(id) as HTMLInputElement | null) ?? choices.find((one) => one.value === value);
  if (!field) return;
  field.focus({ preventScroll: true });
  // A box to tick has no caret.
  if (selectionStart !== null) field.setSelectionRange(selectionStart, selectionEnd);
}

for (const type of ['focusin', 'input', 'selectionchange']) document.addEventListener(type, notePlace, true);

document.addEventListener(remadeEvent, (event) => {
  const { detail } = event as CustomEvent<string | null>;
  if (detail !== null) standWithoutReact(detail);
  giveFocusBack();
});
