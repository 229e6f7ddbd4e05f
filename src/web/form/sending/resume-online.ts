import type { Answers } from '../../../model/answers.ts';
import type { FormDraft } from '../page/form-drafts.ts';

export const backOnline = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('online', resolve, { once: true }));

/**
 * Sends a failed form again once the browser is back online, unless the visitor has changed, sent, emptied or left the form
 * since. Every change of the answers makes a new object, so identity is the test.
 */
export async function resumeOnline(
  { get }: Pick<FormDraft, 'get'>,
  answers: Answers,
  send: () => void,
): Promise<void> {
  await backOnline();
  const state = get();
  if (state.status === 'editing' && state.answers === answers) send();
}
