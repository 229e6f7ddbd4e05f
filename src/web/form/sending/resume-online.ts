import type { Answers } from '../../../model/answers.ts';
import type { FormDraft } from '../page/form-drafts.ts';

/** Resolves when the browser has found a network again. */
export const backOnline = (): Promise<unknown> =>
  new Promise((resolve) => addEventListener('online', resolve, { once: true }));

/**
 * Once there is a network again, sends what could not be sent. Not what was changed, sent by hand, emptied or left since:
 * every change of the answers makes a new object of them.
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
