import { type ComponentType, memo, startTransition, useReducer } from 'react';
import type { AnswerOf, AnswerValue, FieldOf } from '../../../model/field-types.ts';
import type { FieldType } from '../../../model/form-field.ts';
import type { FormAction } from '../page/form-state.ts';
import { BooleanField } from './BooleanField.tsx';
import { CheckboxField } from './CheckboxField.tsx';
import type { FieldProps } from './field-props.ts';
import { TextField } from './TextField.tsx';

const components: { readonly [T in FieldType]: ComponentType<FieldProps<FieldOf<T>, AnswerOf<T>>> } = {
  text: TextField,
  textarea: TextField,
  boolean: BooleanField,
  checkbox: CheckboxField,
};

type AnyFieldProps = Omit<FieldProps, 'value' | 'onAnswer' | 'onBlur'> & {
  /** As the form was rendered last. */
  value: AnswerValue | undefined;
  /** The answer as it is now. */
  read: (key: string) => AnswerValue | undefined;
  dispatch: (action: FormAction) => void;
  onBlur: (key: string) => void;
};

/**
 * Memoised, because on a slow phone a letter typed into one field must not render all the others. The field itself shows an
 * answer at once, and the rest of the form (problems, hints, the button) after that is painted.
 */
export const Field = memo(function Field({ dispatch, onBlur, read, value, ...rest }: AnyFieldProps) {
  const [, renderNow] = useReducer((count: number) => count + 1, 0);
  const { key, type } = rest.field;
  const props = {
    ...rest,
    // Not `value`, which is older while a rendering of the form waits: it would take back a letter.
    value: read(key) ?? value,
    onAnswer: (answer: AnswerValue) => {
      renderNow();
      startTransition(() => dispatch({ type: 'answered', key, value: answer }));
    },
    onBlur: () => onBlur(key),
  };
  // The value is always of the field's own type, because both come from the same entry of field-types.ts.
  const Component = components[type] as ComponentType<typeof props>;
  return <Component {...props} />;
});
