import type { AnswerValue } from '../../../model/field-types.ts';
import type { FormField, FormName } from '../../../model/form-field.ts';
import type { Problem } from '../../../model/validate.ts';

/** What the component of every question type is given. */
export interface FieldProps<Field = FormField, Answer = AnswerValue> {
  form: FormName;
  field: Field;
  id: string;
  value: Answer;
  /** The chosen ways of contact that ask for this answer, in words. */
  chosen: string;
  /** Given once the field has lost the focus. */
  problem: Problem | null;
  /** A hint may appear below the field. */
  hinted: boolean;
  /** The last field of the form: a phone's keyboard then offers to send. */
  last: boolean;
  /** The page is the response to a posted form in which this is the first invalid field. */
  focused: boolean;
  onAnswer: (value: Answer) => void;
  /** The question lost the focus, not only one of its choices. */
  onBlur: () => void;
}

/** Of the texts that describe a field now. */
export const joinIds = (...ids: (string | false | null | undefined)[]): string | undefined =>
  ids.filter(Boolean).join(' ') || undefined;
