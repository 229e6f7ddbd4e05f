import { noScriptFields } from '../../../model/no-script-fields.ts';
import { withTimeout } from './with-timeout.ts';

/**
 * Has the browser itself post the form, as it does without a script, and go to the answer. For when the script cannot do
 * its work though the site is there, as on a page that was left open while the site was changed.
 *
 * @param leftMs for the site to show that it is there.
 * @returns false, with nothing done, where the site does not answer: the browser's own word about the connection would
 * take the place of the page, and of everything typed into it.
 */
export async function submitNatively(
  form: HTMLFormElement,
  token: string | null,
  leftMs: number,
): Promise<boolean> {
  const path = form.getAttribute('action') ?? '';
  try {
    const { ok } = await withTimeout(leftMs, (signal) =>
      fetch(path, { method: 'HEAD', cache: 'no-store', signal }),
    );
    // Whoever left the form meanwhile, or emptied it by leaving, is not taken back to it.
    if (!ok || !form.isConnected) return false;
  } catch {
    return false;
  }
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name: noScriptFields.token, value: token ?? '' });
  form.append(field);
  // Not the form's own `submit`: a question with that key would stand in its place.
  HTMLFormElement.prototype.submit.call(form);
  // What is posted has been read by now.
  field.remove();
  return true;
}
