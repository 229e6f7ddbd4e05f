import { noScriptFields } from '../../../model/no-script-fields.ts';
import { withTimeout } from '../../with-timeout.ts';

/**
 * Submits the form as the browser does without a script, and navigates to the response. For when the script cannot work
 * though the site can be reached, as on a page that was open while a new version was deployed.
 *
 * @param remainingMs for the site to show that it can be reached.
 * @returns false, with nothing done, where the site does not respond: the browser's error page would replace this page and
 * every answer on it.
 */
export async function submitNatively(
  form: HTMLFormElement,
  token: string | null,
  remainingMs: number,
): Promise<boolean> {
  const path = form.getAttribute('action') ?? '';
  try {
    const { ok } = await withTimeout(remainingMs, (signal) =>
      fetch(path, { method: 'HEAD', cache: 'no-store', signal }),
    );
    // A visitor who has left the form meanwhile is not taken back.
    if (!ok || !form.isConnected) return false;
  } catch {
    return false;
  }
  const field = document.createElement('input');
  Object.assign(field, { type: 'hidden', name: noScriptFields.token, value: token ?? '' });
  form.append(field);
  // Not `form.submit`, which a question with the key `submit` would replace.
  HTMLFormElement.prototype.submit.call(form);
  // The browser has collected the form data by now.
  field.remove();
  return true;
}
