import { type Answers, carryOver, initialAnswers } from '../../../model/answers.ts';
import { wayOfKey } from '../../../model/choice-meanings.ts';
import type { AnswerValue } from '../../../model/field-types.ts';
import type { Definition } from '../../../model/form-field.ts';
import type { NextStep } from '../../../model/next-step.ts';
import type { Receipt } from '../../../model/operations.ts';
import type { Posted } from '../../../model/page-data.ts';

interface Filling {
  definition: Definition;
  answers: Answers;
  /** Keys of the fields that had the focus and lost it: their problems are shown. Of an email or a number, since it was changed. */
  touched: readonly string[];
  /** The answers that could not be sent. As long as nobody changes them, they are sent when the network is back. */
  unsent?: Answers;
}

export type FormState =
  | ({ status: 'editing' } & Filling)
  | ({ status: 'submitting' } & Filling)
  | { status: 'submitted'; receipt: Receipt; next: NextStep };

export type FormAction =
  /** The fields' values at hydration: on a slow phone, visitors type before the script runs. */
  | { type: 'found'; answers: Answers }
  /** The trust changed the form while the visitor was filling it in. Questions without an answer are marked at once. */
  | { type: 'redefined'; definition: Definition }
  | { type: 'answered'; key: string; value: AnswerValue }
  | { type: 'touched'; key: string }
  | { type: 'sending' }
  | { type: 'failed' }
  | { type: 'sent'; receipt: Receipt; next: NextStep }
  | { type: 'restarted'; definition: Definition };

export function startForm(definition: Definition): FormState {
  return { status: 'editing', definition, answers: initialAnswers(definition), touched: [] };
}

/** The state on the response to a posted form: the answers with their problem, or the receipt. */
export function startPosted(definition: Definition, posted: Posted): FormState {
  if (posted.status === 'sent') return { ...posted, status: 'submitted' };
  const { key } = posted.status === 'invalid' ? posted.problem : {};
  const answers = carryOver(definition, posted.answers);
  return { status: 'editing', definition, answers, touched: key ? [key] : [] };
}

/** An action that does not fit the current status changes nothing. */
export function reduceForm(state: FormState, action: FormAction): FormState {
  switch (action.type) {
    case 'found':
      if (state.status !== 'editing' || same(state.answers, action.answers)) return state;
      return {
        ...state,
        answers: action.answers,
        touched: [...state.touched, ...[...wayOfKey.keys()].filter((key) => action.answers[key])],
      };
    case 'redefined': {
      const { definition } = action;
      if (state.status === 'submitted' || state.definition === definition) return state;
      // The same questions in another language. The answers stay the same object, by which a failed form is sent again.
      if (asked(definition) === asked(state.definition)) return { ...state, definition };
      const touched = definition.map(({ key }) => key);
      return { ...state, definition, answers: carryOver(definition, state.answers), touched };
    }
    case 'answered':
      if (state.status !== 'editing') return state;
      return {
        ...state,
        answers: { ...state.answers, [action.key]: action.value },
        // Nobody's email is doubted while it is typed, also for the second time.
        touched: wayOfKey.has(action.key) ? state.touched.filter((key) => key !== action.key) : state.touched,
      };
    case 'touched':
      if (state.status !== 'editing' || state.touched.includes(action.key)) return state;
      return { ...state, touched: [...state.touched, action.key] };
    case 'sending':
      return state.status === 'editing' ? { ...state, status: 'submitting' } : state;
    case 'failed':
      return state.status === 'submitting' ? { ...state, status: 'editing', unsent: state.answers } : state;
    case 'sent':
      if (state.status !== 'submitting') return state;
      return { status: 'submitted', receipt: action.receipt, next: action.next };
    case 'restarted':
      return startForm(action.definition);
  }
}

/** What a form asks, in whatever words. */
const asked = (definition: Definition): string =>
  JSON.stringify(
    definition.map((field) => [field.key, field.type, field.required, 'choices' in field && field.choices]),
  );

/** Both have the keys of one definition, in its order. */
const same = (one: Answers, other: Answers): boolean => JSON.stringify(one) === JSON.stringify(other);
