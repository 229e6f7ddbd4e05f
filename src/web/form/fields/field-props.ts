import type { AnswerValue } from '../../../model/field-types.ts';
import type { FormField } from '../../../model/form-field.ts';
import type { Problem } from '../../../model/validate.ts';

/** What the component of every question type is given. */
export interface FieldProps<Field = FormField, Answer = AnswerValue> {
  field: Field;
  id: string;
  value: Answer;
  /** Shown once the visitor has left the field. */
  problem: Problem | null;
  /** A hint may appear below the field. */
  hinted: boolean;
  /** The last field of the form: a phone's keyboard then offers to send. */
  last: boolean;
  /** The page answers a posted form in which this is the first invalid field. */
  focused: boolean;
  onAnswer: (value: Answer) => void;
  onLeave: () => void;
}
