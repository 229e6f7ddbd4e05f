import { useCallback } from 'react';
import type { AnswerValue } from '../../../model/field-types.ts';
import type { Definition } from '../../../model/form-field.ts';
import type { FormDraft } from './form-drafts.ts';
import { type FormState, reduceForm } from './form-state.ts';

/** The form as it is now: what is rendered may wait for the next paint. */
export function useCurrentState(draft: FormDraft, definition: Definition) {
  const now = useCallback(
    (): FormState => reduceForm(draft.get(), { type: 'redefined', definition }),
    [draft, definition],
  );
  const read = useCallback(
    (key: string): AnswerValue | undefined => {
      const state = now();
      return state.status === 'submitted' ? undefined : state.answers[key];
    },
    [now],
  );
  return { now, read };
}
