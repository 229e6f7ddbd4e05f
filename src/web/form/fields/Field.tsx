import { memo } from 'react';
import type { AnswerValue } from '../../../model/answers.ts';
import type { FormField } from '../../../model/form-field.ts';
import type { Problem } from '../../../model/validate.ts';
import type { FormAction } from '../page/form-state.ts';
import { TickField } from './BooleanField.tsx';
import { ChoicesField } from './CheckboxField.tsx';
import { TextField } from './TextField.tsx';

export interface FieldProps<F extends FormField, V extends AnswerValue> {
  field: F;
  id: string;
  value: V;
  /** Shown once the field was left. */
  problem: Problem | null;
  /** A hint may stand below it. */
  hinted: boolean;
  /** The page begins here: it answers a form in which this is the first that is not right. */
  focused: boolean;
  onAnswer: (value: V) => void;
  onLeave: () => void;
}

type AnyFieldProps = Omit<FieldProps<FormField, AnswerValue>, 'value' | 'onAnswer' | 'onLeave'> & {
  value: AnswerValue | undefined;
  /** The last of the form: a phone's keyboard then offers to send. */
  last: boolean;
  dispatch: (action: FormAction) => void;
  onLeave: (key: string) => void;
};

/**
 * The value of each type is what `initialValue` gives it, so it is never of another. A letter typed into one field is
 * no work for the others: on a slow phone that is the difference between typing and waiting.
 */
export const Field = memo(function Field({ field, value, last, dispatch, onLeave, ...rest }: AnyFieldProps) {
  const { key } = field;
  const shared = {
    ...rest,
    onAnswer: (answer: AnswerValue) => dispatch({ type: 'answered', key, value: answer }),
    onLeave: () => onLeave(key),
  };
  switch (field.type) {
    case 'text':
    case 'textarea':
      return <TextField {...shared} field={field} value={value as string} last={last} />;
    case 'checkbox':
      return <ChoicesField {...shared} field={field} value={value as string[]} />;
    case 'boolean':
      return <TickField {...shared} field={field} value={value as boolean} />;
  }
});
