import type { Definition, FormName } from '../../../model/form-field.ts';
import type { Posted } from '../../../model/page-data.ts';
import { forgetEvent } from '../../leave/forget.ts';
import { type FormAction, type FormState, reduceForm, startForm, startPosted } from './form-state.ts';

/**
 * The forms of this visit, in memory alone: a visitor who follows a link within the site and comes back finds the form as
 * it was. Leaving the site deletes the drafts (docs/decisions/0041).
 */
export interface FormDraft {
  get(): FormState;
  dispatch(action: FormAction): void;
  /** Calls `show` now and after each change. One subscriber at a time; the returned function unsubscribes. */
  subscribe(show: (state: FormState) => void): () => void;
  wasReceiptShown(): boolean;
}

const drafts = new Map<FormName, FormDraft>();
if (!import.meta.env.SSR)
  document.addEventListener(forgetEvent, () => {
    // A submission that waits for the network still has its draft, and sees by the status that the visitor is gone.
    for (const { dispatch } of drafts.values()) dispatch({ type: 'restarted', definition: [] });
    drafts.clear();
  });

/**
 * The draft of this visit, or a new one. A submission goes on in the draft it began with, never in a later one.
 *
 * @param posted the outcome, where this page is the response to a posted form.
 */
export function openDraft(name: FormName, definition: Definition, posted: Posted | undefined): FormDraft {
  const earlier = drafts.get(name);
  // A form that was sent while another page was shown: the visitor has not seen the receipt.
  if (earlier && !earlier.wasReceiptShown()) return earlier;
  const form = createDraft(posted ? startPosted(definition, posted) : startForm(definition));
  // A server renders for many visitors, and must share no draft between them.
  if (!import.meta.env.SSR) drafts.set(name, form);
  return form;
}

function createDraft(state: FormState): FormDraft {
  const noSubscriber = () => {};
  let notify: (state: FormState) => void = noSubscriber;
  let receiptShown = false;
  const notifySubscriber = () => {
    notify(state);
    receiptShown = state.status === 'submitted' && notify !== noSubscriber;
  };
  return {
    get: () => state,
    wasReceiptShown: () => receiptShown,
    dispatch(action) {
      state = reduceForm(state, action);
      notifySubscriber();
    },
    subscribe(show) {
      notify = show;
      notifySubscriber();
      return () => {
        notify = noSubscriber;
      };
    },
  };
}
