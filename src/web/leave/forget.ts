/** Dispatched when all answers must be deleted. React then renders an empty form. */
export const forgetEvent = 'forget';

/** A `<textarea>` has every property used here except `checked`. */
const fields = () => document.querySelectorAll<HTMLInputElement>('#root input, #root textarea');

export function anythingTyped(): boolean {
  return [...fields()].some((field) => (field.type === 'checkbox' ? field.checked : field.value));
}

/** Empties the fields themselves, because React may not have started, and the attributes that React sets with them. */
export function forgetAnswers(): void {
  for (const field of fields()) {
    if (field.type === 'checkbox') field.checked = field.defaultChecked = false;
    else field.value = field.defaultValue = '';
  }
  document.dispatchEvent(new Event(forgetEvent));
}
