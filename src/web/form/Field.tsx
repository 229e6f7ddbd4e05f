import type { AnswerValue } from '../../model/answers.ts';
import type { FormField } from '../../model/form-field.ts';
import type { Problem } from '../../model/validate.ts';
import { ChoicesField } from './ChoicesField.tsx';
import { TextField } from './TextField.tsx';
import { TickField } from './TickField.tsx';

export interface FieldProps<F extends FormField, V extends AnswerValue> {
  field: F;
  id: string;
  value: V;
  /** Shown once the field was left. */
  problem: Problem | null;
  onAnswer: (value: V) => void;
  onLeave: () => void;
}

type AnyFieldProps = Omit<FieldProps<FormField, AnswerValue>, 'value'> & {
  value: AnswerValue | undefined;
  /** The last of the form: a phone's keyboard then offers to send. */
  last: boolean;
};

/** The value of each type is what `initialValue` gives it, so it is never of another. */
export function Field({ field, value, last, ...rest }: AnyFieldProps) {
  switch (field.type) {
    case 'text':
    case 'textarea':
      return <TextField {...rest} field={field} value={value as string} last={last} />;
    case 'checkbox':
      return <ChoicesField {...rest} field={field} value={value as string[]} />;
    case 'boolean':
      return <TickField {...rest} field={field} value={value as boolean} />;
  }
}
