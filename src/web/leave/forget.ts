/** Told to the page when everything typed must be gone. React then makes the form anew. */
export const forgetEvent = 'forget';

/** A `<textarea>` has all that is used here, but for a tick. */
const fields = () => document.querySelectorAll<HTMLInputElement>('#root input, #root textarea');

export function anythingTyped(): boolean {
  return [...fields()].some((field) => (field.type === 'checkbox' ? field.checked : field.value));
}

/** Empties the fields themselves, also before React is there, and the attributes React keeps in step with them. */
export function forgetAnswers(): void {
  for (const field of fields()) {
    if (field.type === 'checkbox') field.checked = field.defaultChecked = false;
    else field.value = field.defaultValue = '';
  }
  document.dispatchEvent(new Event(forgetEvent));
}
