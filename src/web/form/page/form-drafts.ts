import type { Definition, FormName } from '../../../model/form-field.ts';
import type { Posted } from '../../../model/page-data.ts';
import { forgetEvent } from '../../leave/forget.ts';
import { type FormAction, type FormState, reduceForm, startForm, startPosted } from './form-state.ts';

/**
 * The forms of this visit, in memory alone: whoever goes to another page of the site and comes back finds theirs as it
 * was. Leaving the site forgets them (docs/decisions/0041).
 */
export interface FormDraft {
  get(): FormState;
  dispatch(action: FormAction): void;
  /** Shows the state, now and whenever it changes, until the function that is returned is called. */
  subscribe(show: (state: FormState) => void): () => void;
  /** Its receipt was shown. */
  wasReceiptShown(): boolean;
}

const drafts = new Map<FormName, FormDraft>();
if (!import.meta.env.SSR)
  document.addEventListener(forgetEvent, () => {
    // A send that waits for the network holds on to its form, and finds here that it was left.
    for (const { dispatch } of drafts.values()) dispatch({ type: 'restarted', definition: [] });
    drafts.clear();
  });

/**
 * A send that was begun goes on in its own form, and never in one that was begun since.
 *
 * @param posted what became of the form that this page answers, if it does.
 */
export function openDraft(name: FormName, definition: Definition, posted: Posted | undefined): FormDraft {
  const earlier = drafts.get(name);
  // What was sent while another page was shown has a receipt that nobody has seen yet.
  if (earlier && !earlier.wasReceiptShown()) return earlier;
  const form = createDraft(posted ? startPosted(definition, posted) : startForm(definition));
  // A server has many visitors.
  if (!import.meta.env.SSR) drafts.set(name, form);
  return form;
}

function createDraft(state: FormState): FormDraft {
  const toNobody = () => {};
  let tell: (state: FormState) => void = toNobody;
  let isDone = false;
  const tellState = () => {
    tell(state);
    isDone = state.status === 'submitted' && tell !== toNobody;
  };
  return {
    get: () => state,
    wasReceiptShown: () => isDone,
    dispatch(action) {
      state = reduceForm(state, action);
      tellState();
    },
    subscribe(show) {
      tell = show;
      tellState();
      return () => {
        tell = toNobody;
      };
    },
  };
}
